/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/miso.h"

#include <math.h>

#include "receiver/complex.h"

/* With the second cell conjugated, the pair is linear in (a0, conj(a1)):
 *
 *     y0       =  h1[0] a0       - h2[0] conj(a1)
 *     conj(y1) =  conj(h2[1]) a0 + conj(h1[1]) conj(a1)
 *
 * The exact inverse equals Alamouti combining for equal channels on both carriers. */
void dvbt2_miso_decode(const dvbt2_miso_pair *pair, float complex cell[2], float noise[2])
{
    float complex a = pair->h1[0], b = -pair->h2[0], c = conjf(pair->h2[1]), d = conjf(pair->h1[1]);
    float complex det = rx_mul(a, d) - rx_mul(b, c);
    float size = rx_power(det);
    if (!(size > 0)) {
        cell[0] = cell[1] = 0;
        noise[0] = noise[1] = INFINITY;
        return;
    }
    float complex y0 = pair->y[0], y1 = conjf(pair->y[1]), inverse = conjf(det) / size;
    cell[0] = rx_mul(rx_mul(d, y0) - rx_mul(b, y1), inverse);
    cell[1] = conjf(rx_mul(rx_mul(a, y1) - rx_mul(c, y0), inverse));
    noise[0] = (rx_power(d) * pair->noise[0] + rx_power(b) * pair->noise[1]) / size;
    noise[1] = (rx_power(c) * pair->noise[0] + rx_power(a) * pair->noise[1]) / size;
}
