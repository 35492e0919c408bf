# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the receiver programs, and the sources of their samples."""
import click

from libdvb import http_server, live, radio
from libldpc.tools import cli, recordings

LOWEST = 1e5  # Hz; lower frequencies and sample rates are probably in MHz or kHz


def hertz(context, parameter, value):
    """Rejects frequencies that are probably in MHz, such as 546."""
    if cli.finite(context, parameter, value) is not None and value < LOWEST:
        example = f"{value:g}e6" if 1 <= value < 1e4 else "10e6"
        raise click.BadParameter(f"{value:g} is too low: expected Hz, such as {example}")
    return value


def path_option(*names, **keywords):
    return click.option(*names, default=None, type=click.Path(dir_okay=False, allow_dash=True), **keywords)


FILE = click.argument("file", required=False, type=click.Path(dir_okay=False, allow_dash=True))
SOAPY = click.option("--soapy", metavar="ARGUMENTS", default=None, help="Receive from a radio through SoapySDR, such as driver=hackrf.")
GAIN = click.option("--gain", type=float, default=None, callback=cli.finite, help="Gain of the radio in dB.  [default: automatic]")
ANTENNA = click.option("--antenna", default=None, help="Name of the radio's antenna input.")
FORMAT = click.option("--format", "sample_format", type=click.Choice(list(recordings.FORMATS)), default=None, help="Sample format of FILE, interleaved I and Q: f float, s signed, u unsigned integer, with the number of bits; _be: big endian.  [default: from the header, metadata or suffix of the file, otherwise guessed from its first samples]")
OUTPUT = path_option("--output", "-o", help="File for the transport stream, - = standard output. An existing file is overwritten.")
UDP = click.option("--udp", "udp", metavar="HOST:PORT", default=None, help="Also send the transport stream over UDP, in real time; players open udp://@:PORT.")
HTTP = click.option("--http", "http", metavar="[HOST:]PORT", default=None, help="Also offer the transport stream to players over HTTP, in real time; players open http://HOST:PORT/. 0.0.0.0:PORT accepts other computers.  [default of HOST: 127.0.0.1]")
JSON = path_option("--json", "json_path", help="Write all values as JSON, - = standard output.")
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print no progress and no tables.")


def offset(of, default=None, more=""):
    return click.option("--offset", type=float, default=default, callback=cli.finite, help=f"Centre frequency of the {of} relative to the centre frequency of the samples, in Hz.{more}")


def iterations(of, default=25):
    return click.option("--iterations", type=click.IntRange(0, 10000), default=default, help=f"Maximum number of LDPC iterations per {of}.")


def check_source(given, radio_only):
    """Raises UsageError unless exactly one source is given. Options for radios also raise UsageError if the source is a file."""
    if given["soapy"] is not None:
        if given["file"] is not None:
            raise click.UsageError("FILE and --soapy cannot be combined")
        return
    if given["file"] is None:
        raise click.UsageError("expected a FILE, or a radio with --soapy")
    only = [name for name in radio_only if given[name] is not None]
    if only:
        raise click.UsageError(f"--{only[0]} needs a radio (--soapy)")


def wants_packets(given):
    """Returns whether packets are written or sent."""
    return bool(given["output"] or given["udp"] or given["http"])


def check_outputs(given, looks_only, several, alternatives):
    """Raises UsageError for missing or conflicting outputs."""
    if given["info"] and (wants_packets(given) or given["frames_path"]):
        raise click.UsageError("--info writes no data and cannot be combined with --output, --udp, --http or --frames")
    if not (looks_only or wants_packets(given) or given["frames_path"]):
        raise click.UsageError(f"expected --output, --udp, --http or --frames, or {alternatives}")
    if several and (given["udp"] or given["http"] or "-" in (given["output"], given["frames_path"])):
        raise click.UsageError(f"several {several} can only be written to files: expected --output NAME.ts or --frames NAME.bbf, without --udp and --http")
    for option, address in (("udp", live.address), ("http", http_server.address)):
        try:
            if given[option]:
                address(given[option])
        except ValueError as error:
            raise ValueError(f"--{option} {error}") from None


def open_radio(given, rate, frequency):
    return radio.Radio(given["soapy"], given["sample_rate"] or rate, frequency, given["gain"], given["antenna"])


def adjuster(source):
    """Returns a function that sets a radio's gain from the measured level in dB of full scale."""
    return getattr(source, "adjust", lambda level_db: None)
