/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol visibility. */
#ifndef INCLUDED_GR_LDPC_API_H
#define INCLUDED_GR_LDPC_API_H

#include <gnuradio/attributes.h>

#ifdef gnuradio_ldpc_EXPORTS
#define GR_LDPC_API __GR_ATTR_EXPORT
#else
#define GR_LDPC_API __GR_ATTR_IMPORT
#endif

#endif
