# SPDX-License-Identifier: BSD-3-Clause
"""Tests the block descriptions: GRC's schema, drop-downs, documentation, assertions."""
import ast
import inspect
import logging
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest

import libdvbt2
import libldpc
import yaml
from gnuradio import gr, ldpc
from gnuradio.grc.core.platform import Platform
from gnuradio.grc.core.schema_checker import BLOCK_SCHEME, Validator

SOURCE = pathlib.Path(os.environ["LDPC_SOURCE_DIR"])
GRC = SOURCE / "grc"
FILES = sorted(GRC.glob("*.block.yml"))
DROP_DOWNS = [f for f in FILES if f.name.split(".")[0] in ("variable_ldpc_code", "ldpc_encoder_bb", "ldpc_decoder_cpu_bb", "ldpc_decoder_gpu_bb")]
NONBINARY = [GRC / "nb_ldpc_decoder.block.yml"]  # drop-downs of nonbinary codes
ONE_PARAMETER = [GRC / f"{name}.block.yml" for name in (
    "ldpc_decoder_cpu_fb", "ldpc_decoder_pdu", "ldpc_dvb_bb_deframer_bb", "ldpc_dvb_bch_decoder_bb", "ldpc_dvb_bit_deinterleaver_bb",
    "ldpc_dvb_demapper_cb", "ldpc_dvbs2_fec_decoder", "ldpc_dvbt2_fec_decoder", "ldpc_encoder_pdu", "nb_ldpc_encoder",
    "variable_ldpc_fec_decoder", "variable_ldpc_fec_encoder")]


def default_code(file):
    name = file.name
    return ("bds:b1c:200" if name.startswith("nb_") else "dvbs2:64800:1/2" if "dvbs2" in name else
            "dvbt2:64800:1/2" if "dvb" in name else "wifi:648:1/2")


class Complaints(logging.Handler):
    """Collects GRC's warnings while blocks load."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(self.format(record))


def load_platform(complaints):
    """Loads GRC with GRC's own blocks and the blocks of this module."""
    logging.getLogger("gnuradio.grc").addHandler(complaints)
    platform = Platform(version=gr.version(), prefs=gr.prefs(),
                        version_parts=(gr.major_version(), gr.api_version(), gr.minor_version()))
    platform.build_library(path=[*platform.config.block_paths, str(GRC)])
    return platform


class Blocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.complaints = Complaints()
        cls.platform = load_platform(cls.complaints)
        cls.flow_graph = cls.platform.make_flow_graph()

    def make(self, key, **values):
        block = self.flow_graph.new_block(key)
        for name, value in {"id": f"block_{len(self.flow_graph.blocks)}", **values}.items():
            block.params[name].set_value(value)
        block.rewrite()
        block.validate()
        return block

    def errors(self, block):
        """Returns the errors of a block and its parameters, except those about unconnected ports."""
        ports = (*block.sinks, *block.sources)
        return [message for element, message in block.iter_error_messages() if element not in ports]

    def code_of(self, block):
        """Returns the first constructor argument of the block in a generated flowgraph."""
        if block.is_variable:  # self.name = name = ldpc.fec_decoder(...)
            call = ast.parse(textwrap.dedent(block.get_var_make())).body[0].value
        else:
            call = ast.parse(block.templates.render("make").strip(), mode="eval").body
        return eval(compile(ast.Expression(call.args[0]), "make", "eval"))

    def test_files_are_there(self):
        self.assertEqual([f.name.split(".")[0] for f in FILES],
                         ["ldpc_decoder_cpu_bb", "ldpc_decoder_cpu_fb", "ldpc_decoder_gpu_bb", "ldpc_decoder_pdu", "ldpc_dvb_bb_deframer_bb",
                          "ldpc_dvb_bch_decoder_bb", "ldpc_dvb_bit_deinterleaver_bb", "ldpc_dvb_demapper_cb",
                          "ldpc_dvbs2_acm", "ldpc_dvbs2_fec_decoder", "ldpc_dvbs2_receiver", "ldpc_dvbs2_synchronizer", "ldpc_dvbs2_transmitter", "ldpc_dvbt2_curves",
                          "ldpc_dvbt2_demodulator", "ldpc_dvbt2_fec_decoder", "ldpc_dvbt2_plp_decoder", "ldpc_dvbt2_receiver",
                          "ldpc_dvbt2_table", "ldpc_dvbt2_transmitter", "ldpc_dvbt2_udp_sink", "ldpc_encoder_bb",
                          "ldpc_encoder_pdu", "ldpc_error_rate", "ldpc_packet_decoder", "ldpc_packet_encoder", "ldpc_raw_ber_bb",
                          "nb_ldpc_decoder", "nb_ldpc_encoder", "variable_ldpc_code", "variable_ldpc_fec_decoder", "variable_ldpc_fec_encoder"])

    def test_schema(self):
        for file in FILES:
            data = yaml.safe_load(file.read_text(encoding="utf-8"))
            validator = Validator(BLOCK_SCHEME)
            self.assertTrue(validator.run(data), [(m.path, m.message) for m in validator.messages])
            self.assertEqual(validator.messages, [])
            self.assertEqual(file.name, data["id"] + ".block.yml")

    def test_grc_loads_them_without_a_word(self):
        about_ours = [text for text in self.complaints.texts if any(f.name.split(".")[0] in text for f in FILES)]
        self.assertEqual(about_ours, [])
        for file in FILES:
            self.assertIn(file.name.split(".")[0], self.platform.blocks.keys() & {f.name.split('.')[0] for f in FILES})

    def test_defaults_are_valid(self):
        for file in DROP_DOWNS + NONBINARY + ONE_PARAMETER:
            block = self.make(file.name.split(".")[0])
            self.assertEqual(self.errors(block), [])
            self.assertEqual(self.code_of(block), default_code(file))

    def test_every_code_can_be_chosen(self):
        for file in DROP_DOWNS + NONBINARY:
            chosen = set()
            block = self.make(file.name.split(".")[0])
            for standard in block.params["standard"].options:
                block.params["standard"].set_value(standard)
                block.rewrite()
                chosen |= self.choices_now(block)
            self.assertEqual(chosen, {name for name in libldpc.codes() if file not in NONBINARY or libldpc.code(name).order > 2})

    def test_value_of_the_variable(self):
        """The variable has the same value in Companion and in the flowgraph."""
        block, file = self.make("variable_ldpc_code"), str(SOURCE / "tests/code/broulim_14_7.alist")
        values = [{"standard": standard} for standard in block.params["standard"].options if standard not in ("qc", "nbalist")]
        for value in [*values, {"standard": "dvbt2", "size_dvbt2": "16200", "rate_dvbt2_16200": "2/3"}, {"code": "[[1, 1, 0], [0, 1, 1]]"}]:
            block = self.make("variable_ldpc_code", **{"standard": "code", "file": file, **value})
            self.assertEqual(self.errors(block), [])
            self.assertEqual(self.flow_graph.evaluate(block.value, {}, block.namespace), ldpc.code(self.code_of(block)), value)

    def test_blocks_take_the_variable(self):
        """Blocks accept a code variable by its name, and display the name of the code in this variable."""
        flow_graph = self.platform.make_flow_graph()
        variable = flow_graph.new_block("variable_ldpc_code")
        for name, value in {"id": "my_code", "standard": "dvbt2", "size_dvbt2": "16200", "rate_dvbt2_16200": "2/3"}.items():
            variable.params[name].set_value(value)
        for file in DROP_DOWNS[1:] + ONE_PARAMETER:
            if file.name.startswith(("nb_", "ldpc_dvbs2")):
                continue  # not for this code
            block = flow_graph.new_block(file.name.split(".")[0])
            block.params["id"].set_value("block_" + block.key)
            block.params["code"].set_value("my_code")
            if "standard" in block.params:
                block.params["standard"].set_value("code")
            flow_graph.rewrite()
            flow_graph.validate()
            self.assertEqual(self.errors(block), [], block.key)
            self.assertIn("dvbt2:16200:2/3", [str(p.get_evaluated()) for p in block.params.values()], block.key)
            self.assertRegex(block.get_var_make() if block.is_variable else block.templates.render("make"), r"\(\s*my_code,", block.key)

    def shown_label(self, block):
        """Returns the label of the visible parameter. The label contains the sizes of the code."""
        block.rewrite()
        labels = [p.name for p in block.params.values() if p.hide != "all" and p.name.startswith("n ")]
        self.assertEqual(len(labels), 1, block.key)
        self.assertEqual(self.errors(block), [])
        return labels[0]

    def test_blocks_show_the_sizes_of_their_code(self):
        """Canvas and dialog show the code's sizes in a parameter label."""
        for file in DROP_DOWNS:
            self.assertEqual(self.shown_label(self.make(file.name.split(".")[0])), "n 648, k 324, rate")
        for file in ONE_PARAMETER:
            code = libldpc.code(default_code(file))
            bits = code.order.bit_length() - 1
            self.assertEqual(self.shown_label(self.make(file.name.split(".")[0])), f"n {bits * code.n}, k {bits * code.k}, rate 0.500; code")
        for file in NONBINARY:
            self.assertEqual(self.shown_label(self.make(file.name.split(".")[0])), "n 1200, k 600, rate 0.500; length")
        block = self.make("ldpc_decoder_cpu_bb", standard="wifi", size_wifi="1296", rate_wifi_648="2/3")
        self.assertEqual(self.shown_label(block), "n 1296, k 864, rate")
        block = self.make("ldpc_decoder_cpu_bb", standard="code", code="'nr:bg2:16:400'")
        code = libldpc.code("nr:bg2:16:400")
        self.assertEqual(self.shown_label(block), f"n {code.n}, k {code.k}, rate {code.k / code.n:.3f}; code")
        block = self.make("ldpc_decoder_cpu_bb", standard="alist", file=str(SOURCE / "examples/codes/none.alist"))
        self.assertIn("File", [p.name for p in block.params.values()])
        block.params["file"].set_value(str(SOURCE / "tests/code/broulim_14_7.alist"))
        self.assertRegex(self.shown_label(block), r"n \d+, k \d+, rate 0\.\d{3}; file")

    def choices_now(self, block):
        """Returns the codes in the visible drop-downs."""
        def visible(prefix):
            return [p for key, p in block.params.items() if key.startswith(prefix) and p.hide != "all"]

        sizes = visible("size_")
        if not sizes:
            return set()
        self.assertEqual(len(sizes), 1)
        names = set()
        for size in sizes[0].options:
            sizes[0].set_value(size)
            block.rewrite()
            rates = visible("rate_")
            self.assertLessEqual(len(rates), 1)
            for rate in rates[0].options if rates else [None]:
                if rate:
                    rates[0].set_value(rate)
                block.rewrite()
                names.add(self.code_of(block))
        return names

    def test_coders_of_gr_fec(self):
        for name in ("decoder", "encoder"):
            for ndim in (0, 1, 2):
                block = self.make("variable_ldpc_fec_" + name, id="coder", ndim=str(ndim), dim1="2", dim2="3", code="'wimax:576:1/2'")
                scope = {"ldpc": ldpc, "self": types.SimpleNamespace()}
                exec(textwrap.dedent(block.get_var_make()), scope)
                made = scope["coder"]
                self.assertIs(scope["self"].coder, made)
                for length in (2, 3)[:ndim]:
                    self.assertEqual(len(made), length)
                    self.assertEqual(len({id(one) for one in made}), length)
                    made = made[0]
                self.assertIsInstance(made, getattr(ldpc, "fec_" + name))

    def test_own_codes(self):
        for file in DROP_DOWNS + NONBINARY:
            key = file.name.split(".")[0]
            self.assertEqual(self.code_of(self.make(key, standard="code", code="'bds:b1c:88'")), "bds:b1c:88")
            self.assertEqual(self.code_of(self.make(key, standard="nbalist", file="H.nb")), "nbalist:H.nb")
        for file in DROP_DOWNS:
            key = file.name.split(".")[0]
            self.assertEqual(self.code_of(self.make(key, standard="alist", file="/tmp/my code.alist")),
                             "alist:/tmp/my code.alist")
            self.assertEqual(self.code_of(self.make(key, standard="qc", file="H.qc")), "qc:H.qc")

    def test_wrong_values_fail_with_a_sentence(self):
        wrong = [({"max_iterations": "-1"}, "iterations must be 0 .. 10000"), ({"llr_scale": "0"}, "the LLR scale must be"),
                 ({"llr_limit": "128"}, "the LLR limit must be"),
                 ({"threads": "-1"}, "threads must be 1"), ({"factor": "2", "algorithm": "normalized"}, "the normalisation factor must be"),
                 ({"stats_interval": "-1"}, "the statistics interval must be"),
                 ({"standard": "alist", "file": ""}, "the file does not exist or is no code"), ({"standard": "qc", "file": "/no/such.qc"}, "the file does not exist"),
                 ({"standard": "alist", "file": str(GRC / "CMakeLists.txt")}, "or is no code"),
                 ({"standard": "code", "code": "'wimax:2304:5/6A'"}, "unknown code")]
        timeout = [({"gpu_timeout": "float('nan')"}, "the GPU timeout must be")]
        on_gpu = timeout + [({"streams": "65"}, "batches in flight must be"), ({"batch": "-1"}, "the max. batch size must be"),
                  ({"latency": "61"}, "the batch timeout must be")]
        nonbinary = [({"packed": "True", "symbols": "True"}, "symbols cannot be packed"),
                     ({"algorithm": "ems", "kept": "-1"}, "the EMS message length")]
        cells = [({"code": "'dvbs2:64800:1/2'", "modulation": modulation}, "does not define this constellation with this code")
                 for modulation in ("256apsk", "64qam")]
        demapper = [({"code": "'dvbs2:64800:1/2'", "modulation": "qpsk", "rotated": "True"}, "only DVB-T2 defines rotated"),
                    ({"noise": "-1"}, "the noise power must be"), ({"llr_scale": "0"}, "the LLR scale must be")]
        channel = [({"sample_rate": rate, "bandwidth": bandwidth}, "the sample rate must be 1 to 3.1 times the channel bandwidth")
                   for rate, bandwidth in (("32000", "8"), ("0", "8"), ("26e6", "8"), ("9.14e6", "1.7"))] + [({"bandwidth": "11"}, "at most 10 MHz")]
        receiver = [*channel, ({"plps": "[256]"}, "a PLP must be"), ({"plps": "[]"}, "PLPs must be a list"),
                    ({"threads": "-1"}, "threads must be 1"), ({"max_iterations": "-1"}, "iterations must be 0 .. 10000"), *timeout]
        frames = [({"fec_blocks": "0"}, "FEC blocks per frame must be"), ({"ti_blocks": "256"}, "TI blocks per frame must be")]
        for key, cases in (("ldpc_decoder_cpu_bb", wrong), ("ldpc_decoder_gpu_bb", wrong + on_gpu),
                           ("nb_ldpc_decoder", on_gpu + nonbinary), ("variable_ldpc_code", wrong[-4:]), ("ldpc_dvb_bch_decoder_bb", [({"code": "'wimax:576:1/2'"}, "defines no BCH code")]),
                           ("ldpc_dvb_demapper_cb", cells + demapper),
                           ("ldpc_dvb_bit_deinterleaver_bb", cells), ("ldpc_dvbt2_receiver", receiver), ("ldpc_dvbt2_demodulator", channel),
                           ("ldpc_decoder_pdu", timeout), ("ldpc_dvbt2_plp_decoder", timeout), ("ldpc_dvbs2_fec_decoder", timeout), ("ldpc_dvbt2_fec_decoder", frames + timeout)):
            for values, sentence in cases:
                errors = self.errors(self.make(key, **values))
                self.assertTrue(any(sentence in e for e in errors), (key, values, errors))
                self.assertLess(max(map(len, errors)), 200, errors)
        for bandwidth in (0.125, 1.7, 5, 6, 7, 8, 10):
            for rate in (0.875, 1, 2.75):
                values = {"bandwidth": str(bandwidth), "sample_rate": str(rate * libdvbt2.sample_rate(bandwidth))}
                self.assertEqual(self.errors(self.make("ldpc_dvbt2_receiver", **values)), [], values)

    def test_options_are_those_of_the_library(self):
        """The drop-down shows the same names as the error message for an unknown name."""
        for key in ("algorithm", "arithmetic", "schedule", "output", "llr_sign"):
            with self.assertRaises(ValueError) as caught:
                ldpc.ldpc_decoder_cpu_bb("wimax:576:1/2", **{key: "?"})
            listed = re.split("expected |must be ", re.split(", (?:not|found) ", str(caught.exception))[0])[1]
            names = [name.strip('"') for name in re.split(", | or ", listed) if ":" not in name]  # "offset:STEPS" is in no drop-down
            self.assertCountEqual(names, list(self.make("ldpc_decoder_cpu_bb").params[key].options))

    def test_values_of_earlier_versions(self):
        """Deprecated values run on the CPU and log their replacement."""
        kept = {"ldpc_decoder_gpu_bb": [{"fallback": "cpu"}], "ldpc_decoder_pdu": [{"fallback": "none"}, {"fallback": "cpu", "backend": "cuda"}]}
        for key in ("nb_ldpc_decoder", "ldpc_dvbt2_fec_decoder", "ldpc_dvbs2_fec_decoder", "ldpc_dvbt2_plp_decoder", "ldpc_dvbt2_receiver"):
            kept[key] = [{"backend": "auto"}]
        for key, cases in kept.items():
            for values in cases:
                with self.subTest(key, **values):
                    block = self.make(key, **values)
                    self.assertEqual(self.errors(block), [])
                    program = f"from gnuradio import ldpc\nblock = {block.templates.render('make').strip()}\n"
                    result = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=100)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                    self.assertIn("is deprecated", result.stdout + result.stderr)

    def test_every_parameter_is_documented(self):
        for file in FILES:
            data = yaml.safe_load(file.read_text(encoding="utf-8"))
            for parameter in data["parameters"]:
                key = parameter["id"]
                if "'all'" == parameter.get("hide", "").strip("${ }"):
                    self.assertNotIn(f"({key})", data["documentation"])  # always hidden
                    continue
                key = key.split("_")[0] + "_..." if key.startswith(("size_", "rate_")) else key
                label = re.sub(r".*code_label\(.*, '(.*)'\) }$", r"\1", parameter["label"])  # without the sizes
                self.assertIn(f"{label} ({key}", data["documentation"])

    def test_the_help_of_nonbinary_blocks_names_their_algorithms(self):
        text = yaml.safe_load((GRC / "nb_ldpc_decoder.block.yml").read_text(encoding="utf-8"))["documentation"]
        self.assertIn("min-max (automatic)", text)
        for name in ("three-minimum", "corrected min-sum", "posteriors"):
            self.assertNotIn(name, text)

    def test_defaults_are_those_of_the_blocks(self):
        """The options have the defaults of the constructor signatures. These defaults come from the C++ structs."""
        sys.path.insert(0, str(SOURCE / "scripts"))
        self.addCleanup(sys.path.remove, str(SOURCE / "scripts"))
        import block_options as table
        defaults = libldpc.DEFAULT_LLR_SCALE, libldpc.DEFAULT_LLR_LIMIT
        decoder = table.decoder_options(*defaults)
        stream = decoder + table.STREAM
        for block, options in ((ldpc.ldpc_decoder_cpu_bb, stream + table.INPUT), (ldpc.ldpc_decoder_cpu_fb, stream),
                               (ldpc.ldpc_decoder_gpu_bb, stream + table.INPUT + table.GPU + table.WHERE_ON_GPU),
                               (ldpc.nb_ldpc_decoder, stream + table.GPU + table.NB_INPUT + table.NONBINARY + table.WHERE),
                               (ldpc.ldpc_decoder_pdu, decoder + table.INPUT + table.PDU + table.WHERE),
                               (ldpc.ldpc_packet_decoder, [option for option in decoder if option.name not in ("output", "packed")] + table.PACKET + table.PDU
                                + table.WHERE),
                               (ldpc.ldpc_encoder_bb, table.FRAMING + table.PDU_ENCODER), (ldpc.ldpc_encoder_pdu, table.PDU_ENCODER),
                               (ldpc.ldpc_packet_encoder, table.PACKET_ENCODER), (ldpc.ldpc_error_rate, table.ERROR_RATE[1:]),
                               (ldpc.fec_decoder, table.fec_options(*defaults))):
            signature = block.__init__.__doc__.splitlines()[0]
            taken = dict(re.findall(r"(\w+): [\w\[\]]+ = ('[^']*'|[^,)]+)", signature))
            self.assertEqual({name: ast.literal_eval(default) for name, default in taken.items()},
                             {option.name: option.default for option in options})

    def test_defaults_of_the_receivers(self):
        """Compares the defaults of the DVB receivers. Their blocks are written in Python, so their signatures can be inspected."""
        sys.path.insert(0, str(SOURCE / "scripts"))
        self.addCleanup(sys.path.remove, str(SOURCE / "scripts"))
        from dvbt2_options import GROUPS
        for name, options in GROUPS.items():
            block, required = getattr(ldpc, name.lower()), {"sample_rate", "symbol_rate"}
            expected = [(option.name, option.default) for option in options if option.name not in required]
            if inspect.isfunction(inspect.unwrap(block.__init__)):
                taken = [(p.name, p.default) for p in inspect.signature(block.__init__).parameters.values()
                         if p.name != "self" and p.name not in required]
            else:
                signature = block.__init__.__doc__.splitlines()[0]
                taken = [(key, ast.literal_eval(default)) for key, default in re.findall(r"(\w+): [\w\[\]]+ = ('[^']*'|[^,)]+)", signature)]
            self.assertEqual([(key, list(value) if isinstance(value, tuple) else value) for key, value in taken], expected)

    def test_without_gtk(self):
        """Without Gtk, Companion exits with the message of docs/gnuradio.md. The test uses a fake module gi that has no Gtk."""
        program = shutil.which("gnuradio-companion")
        if not program:
            self.skipTest("gnuradio-companion is not installed")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "gi.py").write_text(
                'def require_version(name, version):\n    raise ValueError(f"Namespace {name} not available")\n')
            result = subprocess.run([sys.executable, program], env=os.environ | {"PYTHONPATH": os.pathsep.join([folder, *sys.path])},
                                    capture_output=True, text=True, timeout=300)
        told = re.search("`gnuradio-companion` ends with `(.*?)`.*gir1.2-gtk-3.0", (SOURCE / "docs" / "gnuradio.md").read_text())
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(told[1], result.stderr)

    def test_files_are_up_to_date(self):
        result = subprocess.run([sys.executable, "-B", str(SOURCE / "scripts" / "make_grc"), "--check"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
