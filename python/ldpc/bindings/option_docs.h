/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Written by scripts/make_grc from scripts/block_options.py: edit that. The arguments in docstrings. */
#ifndef INCLUDED_GR_LDPC_OPTION_DOCS_H
#define INCLUDED_GR_LDPC_OPTION_DOCS_H

/* clang-format off */
const char *const decoder_options_doc = R"(    max_iterations: largest number of iterations per codeword, 0 .. 10000; may change while the flowgraph runs
    early_stop: stop a codeword as soon as all its checks are satisfied; may change while the flowgraph runs
    output: the k message bits or all n bits of each codeword, or for binary codes the n posterior LLRs of the decoder (in the sign and unit of the input; int8 values saturate) ("message", "codeword", "posterior")
    packed: one bit per byte, or 8 bits per byte with the first bit in the most significant place; zeros then pad each codeword to whole bytes (True: 8 bits per byte)
    llr_sign: which sign of an LLR means that 0 is the more likely bit: positive in DVB, 5G and MATLAB, negative for GNU Radio's own soft bits ("positive", "negative")
    llr_scale: what one step of an int8 LLR is worth, 0.25 .. 64 steps per nat (unit of the natural logarithm); float LLRs are multiplied by it, rounded and saturated to int8, except for float arithmetic
    llr_limit: channel LLRs are limited to this number of steps, 1 .. 127 (127 = no limit): the messages of a decoder have a limit too, and a bit whose LLR is wrong by more than they add up to is never corrected; no effect with float arithmetic and over larger fields
    threads: CPU threads that share the codewords; 1 = the block's own thread, 0 = one per core
    algorithm: the check-node rule: corrected min-sum; three-minimum min-sum, which corrects more at about 90 % of the speed, but with some codes less at very low error rates (automatic: three-minimum for codes of DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet, corrected for all others); plain, offset or normalised min-sum; sum-product in float arithmetic; over larger fields min-max (automatic), min-sum, EMS or sum-product. In Python also offset:1 and normalized:0.75, a name with its offset or factor ("auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product", "min-max", "ems")
    offset: LLR steps that offset min-sum subtracts; negative = the library's choice; may change while the flowgraph runs
    factor: factor of normalised min-sum, 1/16 .. 1; 0 = the library's choice; may change while the flowgraph runs
    arithmetic: 8-bit (automatic) or 16-bit integers, or float ("auto", "i8", "i16", "float")
    schedule: layered (automatic; needs about half the iterations) or flooding ("auto", "layered", "flooding")
    kernel: "auto", or the name of one kernel; libldpc.kernels() lists them
    stats_interval: seconds between messages on port stats; 0 = never
)";

const char *const gpu_options_doc = R"(    devices: GPUs that share the batches: "0", "0,1" or "all"; with OpenCL also "gpu", "cpu" or a part of a name
    streams: batches in flight on each GPU, 1 .. 64, so that copies and decoding overlap; 0 = the library's choice
    batch: largest number of codewords in a batch; 0 = as many as keep the GPU busy
    latency: longest time in seconds that a codeword waits for others to fill its batch, 0 .. 60; 0 = a batch starts as soon as there is room, and batches grow when codewords come faster than they are decoded
    cache_dir: folder where compiled kernels are kept; "" = gr-ldpc in the user's cache folder
)";

const char *const where_options_doc = R"(    backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
    fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
)";

const char *const where_on_gpu_options_doc = R"(    backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
    fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
)";

const char *const input_options_doc = R"(    input: n LLRs per codeword; or hard bits, one per byte, or packed 8 per byte with the first bit in the most significant place and each codeword padded to whole bytes with zeros, else it is dropped, and dropped() counts it. A hard bit counts as an LLR of 4 nat ("llrs", "hard", "hard-packed")
)";

const char *const nb_input_options_doc = R"(    input: n LLRs per codeword; or hard bits, one per byte, or packed 8 per byte with the first bit in the most significant place and each codeword padded to whole bytes with zeros, else it is dropped, and dropped() counts it. A hard bit counts as an LLR of 4 nat. Or, for each symbol, q bytes with the cost ln P(best) - ln P(a) of its values a = 0 .. q-1, in LLR steps ("llrs", "hard", "hard-packed", "costs")
)";

const char *const framing_options_doc = R"(    length_tag_name: key of the tag with a packet's length on its first item (tagged streams). Packets of whole codewords leave with the length in output items; items outside packets and packets of other lengths are dropped, and dropped() counts them. A packet ends where a later tag begins another one, if its own length is wrong; "" = no packets
    start_tag: key of tags that mark the first item of a codeword. Items before the first tag and an incomplete codeword before a tag are dropped, and dropped() counts them; "" = the stream begins with a codeword
)";

const char *const stream_options_doc = R"(    tags: tag the first output item of each codeword with ldpc_iterations (integer) and ldpc_converged (boolean)
    length_tag_name: key of the tag with a packet's length on its first item (tagged streams). Packets of whole codewords leave with the length in output items; items outside packets and packets of other lengths are dropped, and dropped() counts them. A packet ends where a later tag begins another one, if its own length is wrong; "" = no packets
    start_tag: key of tags that mark the first item of a codeword. Items before the first tag and an incomplete codeword before a tag are dropped, and dropped() counts them; "" = the stream begins with a codeword
    codes: names of further codes, for streams whose code changes (ACM, VCM). A tag ldpc_code, whose value is one of these names or that of the first code, sets the code of the codewords from its item on; items after a tag with another name are dropped, and dropped() counts them. All decoders are created at the start
)";

const char *const fec_options_doc = R"(    max_iterations: largest number of iterations per codeword, 0 .. 10000
    early_stop: stop a codeword as soon as all its checks are satisfied
    gain: LLR, in nat, of a soft bit of magnitude 1: 2 / v for symbols +1 and -1 in noise of variance v; 1 if soft bits are LLRs
    llr_scale: what one step of an int8 LLR is worth, 0.25 .. 64 steps per nat (unit of the natural logarithm); float LLRs are multiplied by it, rounded and saturated to int8, except for float arithmetic
    llr_limit: channel LLRs are limited to this number of steps, 1 .. 127 (127 = no limit): the messages of a decoder have a limit too, and a bit whose LLR is wrong by more than they add up to is never corrected; no effect with float arithmetic and over larger fields
    algorithm: the check-node rule: corrected min-sum; three-minimum min-sum, which corrects more at about 90 % of the speed, but with some codes less at very low error rates (automatic: three-minimum for codes of DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet, corrected for all others); plain, offset or normalised min-sum; sum-product in float arithmetic; over larger fields min-max (automatic), min-sum, EMS or sum-product. In Python also offset:1 and normalized:0.75, a name with its offset or factor ("auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product", "min-max", "ems")
    offset: LLR steps that offset min-sum subtracts; negative = the library's choice
    factor: factor of normalised min-sum, 1/16 .. 1; 0 = the library's choice
    arithmetic: 8-bit (automatic) or 16-bit integers, or float ("auto", "i8", "i16", "float")
    schedule: layered (automatic; needs about half the iterations) or flooding ("auto", "layered", "flooding")
    kernel: "auto", or the name of one kernel; libldpc.kernels() lists them
)";

const char *const pdu_options_doc = R"(    devices: GPUs that share the batches: "0", "0,1" or "all"; with OpenCL also "gpu", "cpu" or a part of a name
    cache_dir: folder where compiled kernels are kept; "" = gr-ldpc in the user's cache folder
)";

const char *const pdu_encoder_options_doc = R"(    packed: one bit per byte on both sides, or 8 bits per byte with the first bit in the most significant place; zeros then pad each message and each codeword to whole bytes (True: 8 bits per byte)
)";

const char *const nonbinary_options_doc = R"(    symbols: a bit or a symbol in each byte (True: symbols)
    kept: number of costs of a message that EMS keeps, 1 .. q; 0 = the library's choice
)";

const char *const dvb_demapper_cb_options_doc = R"(    modulation: constellation of the cells: QPSK and QAM of DVB-T2; QPSK, 8PSK and APSK of DVB-S2 and S2X, each with some codes ("qpsk", "16qam", "64qam", "256qam", "8psk", "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
    rotated: rotated constellation of DVB-T2, with cyclic Q delay
    noise: mean power of a cell's error, 10 ** (-MER / 10); 0 = measured from the cells of each FEC block; may change while the flowgraph runs
    noise_input: noise as one value, or the noise of each cell (float) on a second input (True: on a second input)
    noise_tag: number tags with this key set the noise, from the FEC block they are in on; "" = none
    exact: LLRs from the nearest points of the constellation (max-log, faster) or from all points (True: of all points)
    deinterleave: order of the LLRs: that of the LDPC code, or cell after cell for dvb_bit_deinterleaver_bb (True: of the code)
    llr_scale: LLR steps per nat, 0.25 .. 64; the same as in the LDPC decoder
    stats_interval: seconds between messages on port stats; 0 = never
    modcods: names such as "qpsk:64800:1/2" of those that may come (ACM, VCM); ldpc.dvbs2_modcods(s2x=True) lists all. From a cell with a tag XFECFRAME on, a pair of the MODCOD's number (S2X: PLS code) and whether the frame is short as gr-dvbs2rx has it, cells are of that MODCOD; what follows a tag with another one is dropped. Up to the first tag code and modulation hold
)";

const char *const dvb_bit_deinterleaver_bb_options_doc = R"(    modulation: constellation of the cells: QPSK and QAM of DVB-T2; QPSK, 8PSK and APSK of DVB-S2 and S2X, each with some codes ("qpsk", "16qam", "64qam", "256qam", "8psk", "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
)";

const char *const dvb_bch_decoder_bb_options_doc = R"(    packed: one bit per byte on both sides, or 8 bits per byte with the first bit in the most significant place; the same choice as in the block before it (True: 8 bits per byte)
    stats_interval: seconds between messages on port stats; 0 = never
    codewords: the BCH codewords, which are the LDPC decoder's message bits, or whole LDPC codewords, whose parity bits are left out (True: LDPC codewords)
    codes: names of further LDPC codes, which tags ldpc_code choose from their item on; items after a tag with another name are dropped
)";

const char *const dvb_bb_deframer_bb_options_doc = R"(    packed: one bit per byte, or 8 bits per byte with the first bit in the most significant place; the same choice as in the block before it (True: 8 bits per byte)
    stream: number (ISI) of the input stream to take where there are several; -1 takes all
    stats_interval: seconds between messages on port stats; 0 = never
    codes: names of further LDPC codes, which tags ldpc_code choose from their item on; items after a tag with another name are dropped
)";

const char *const dvbt2_fec_decoder_options_doc = R"(    modulation: constellation of the cells ("qpsk", "16qam", "64qam", "256qam")
    rotated: rotated constellation with cyclic Q delay
    fec_blocks: FEC blocks of an interleaving frame (PLP_NUM_BLOCKS), 1 .. 1023
    ti_blocks: TI blocks of an interleaving frame, 1 .. 255; 1 where a frame spans several T2 frames (TIME_IL_TYPE 1); 0 = no time interleaving
    noise: mean power of a cell's error, 10 ** (-MER / 10), above 0; may change while the flowgraph runs
    backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
    fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
    max_iterations: largest number of iterations per codeword, 0 .. 10000
    threads: CPU threads of the LDPC decoder; 0 takes one per core
    exact: LLRs from the nearest points of the constellation (max-log, faster) or from all points (True: of all points)
    stream: number (ISI) of the input stream to take where there are several; -1 takes all
    stats_interval: seconds between messages on port stats; 0 = never
)";

const char *const dvbt2_demodulator_options_doc = R"(    sample_rate: samples per second: 8e6 .. 25e6 for a channel of 8 MHz, in proportion for others; may change while the flowgraph runs
    format: format of the input samples: complex float, or I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
    bandwidth: bandwidth of the channel in MHz; may change while the flowgraph runs ("1.7", "5", "6", "7", "8", "10")
    offset: frequency of the channel's centre within the samples, in Hz; the receiver finds the remaining carrier offset
    profile: which frames to receive if a signal has T2-base and T2-Lite; automatic: the profile of the first P1 found ("auto", "base", "lite")
    plps: PLP_ID of each output, 1 to 255 of them; -1 is the first data PLP, -2 the common PLP of the first output's group; may change while the flowgraph runs
    status_interval: seconds between messages on port status; 0 = never
    decision_directed: how many times at most the channel of a T2 frame with failed codewords is estimated again, from pilots and what the decoder knows of the data, 0 .. 8; 0 = from pilots only; for receivers that move
)";

const char *const dvbt2_plp_decoder_options_doc = R"(    backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
    fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
    max_iterations: largest number of iterations per codeword, 0 .. 10000
    threads: CPU threads of the LDPC decoder; 0 takes one per core
    exact: LLRs from the nearest points of the constellation (max-log, faster) or from all points (True: of all points)
    stream: number (ISI) of the input stream to take where there are several; -1 takes all
    stats_interval: seconds between messages on port stats; 0 = never
)";

#endif
