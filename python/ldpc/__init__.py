# SPDX-License-Identifier: GPL-3.0-or-later
"""LDPC blocks for GNU Radio.

    from gnuradio import ldpc
    decoder = ldpc.ldpc_decoder_cpu_bb("dvbt2:64800:1/2", max_iterations=50)

This module also contains the names of the Python module libldpc (code, decoder, codes, ...), which encodes and decodes numpy arrays
without a flowgraph.
"""
from . import ldpc_python
from .argument_errors import explain
explain(ldpc_python, methods=False)

from .ldpc_python import dvb_bit_deinterleaver_bb, dvb_demapper_cb, dvbs2_modcod_code, dvbs2_modcods
from .grc_labels import code_label, code_or_none
from .saved_flowgraphs import saved_backend
from .dvb_fec import dvbs2_fec_decoder
from .dvbs2_acm import dvbs2_acm, dvbs2_threshold
from .dvb_transmitter import dvb_fec_encoder, dvb_mapper, dvbs2_transmitter, dvbt2_transmitter
from .ldpc_python import dvb_bb_deframer_bb, dvb_bch_decoder_bb, ldpc_error_rate, raw_ber_bb
from .ldpc_python import (ldpc_decoder_base, ldpc_decoder_cpu_bb, ldpc_decoder_cpu_fb, ldpc_decoder_gpu_bb,
                          ldpc_decoder_pdu, ldpc_encoder_bb, ldpc_encoder_pdu, ldpc_packet_decoder, ldpc_packet_encoder, nb_ldpc_decoder,
                          nb_ldpc_encoder)

try:
    from .dvbs2_receiver import dvbs2_receiver, dvbs2_synchronizer
    from .dvbt2_display import dvbt2_curves, dvbt2_table
    from .dvbt2_recording import dvbt2_recording, dvbt2_sample_rate
    from .dvbt2_receiver import dvbt2_demodulator, dvbt2_plp_decoder, dvbt2_receiver
    from .dvbt2_udp_sink import dvbt2_udp_sink
    from .ldpc_python import dvbt2_fec_decoder
except ImportError:  # built without the receivers
    pass
try:
    from .ldpc_python import fec_decoder, fec_encoder
except ImportError:  # built without gr-fec
    pass
try:
    from libldpc import *
except ModuleNotFoundError:  # the blocks need only the C library
    pass
