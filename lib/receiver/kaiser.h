/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kaiser window for the design of filters. */
#ifndef RX_KAISER_H
#define RX_KAISER_H

/* Returns the window with parameter `beta` at x, -1 .. 1, times a constant; its ends have the value 1. */
double rx_kaiser(double x, double beta);

#endif
