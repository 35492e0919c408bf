/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the P1 symbol. */
#include "dvbt2/standard/p1_table.h"

/* Active carriers (EN 302 755, clause 9.8.2). */
const uint16_t dvbt2_p1_carrier[DVBT2_P1_CARRIERS] = {
    44,  45,  47,  51,  54,  59,  62,  64,  65,  66,  70,  75,  78,  80,  81,  82,  84,  85,  87,  88,  89,
    90,  94,  96,  97,  98,  102, 107, 110, 112, 113, 114, 116, 117, 119, 120, 121, 122, 124, 125, 127, 131,
    132, 133, 135, 136, 137, 138, 142, 144, 145, 146, 148, 149, 151, 152, 153, 154, 158, 160, 161, 162, 166,
    171, 172, 173, 175, 179, 182, 187, 190, 192, 193, 194, 198, 203, 206, 208, 209, 210, 212, 213, 215, 216,
    217, 218, 222, 224, 225, 226, 230, 235, 238, 240, 241, 242, 244, 245, 247, 248, 249, 250, 252, 253, 255,
    259, 260, 261, 263, 264, 265, 266, 270, 272, 273, 274, 276, 277, 279, 280, 281, 282, 286, 288, 289, 290,
    294, 299, 300, 301, 303, 307, 310, 315, 318, 320, 321, 322, 326, 331, 334, 336, 337, 338, 340, 341, 343,
    344, 345, 346, 350, 352, 353, 354, 358, 363, 364, 365, 367, 371, 374, 379, 382, 384, 385, 386, 390, 395,
    396, 397, 399, 403, 406, 411, 412, 413, 415, 419, 420, 421, 423, 424, 425, 426, 428, 429, 431, 435, 438,
    443, 446, 448, 449, 450, 454, 459, 462, 464, 465, 466, 468, 469, 471, 472, 473, 474, 478, 480, 481, 482,
    486, 491, 494, 496, 497, 498, 500, 501, 503, 504, 505, 506, 508, 509, 511, 515, 516, 517, 519, 520, 521,
    522, 526, 528, 529, 530, 532, 533, 535, 536, 537, 538, 542, 544, 545, 546, 550, 555, 558, 560, 561, 562,
    564, 565, 567, 568, 569, 570, 572, 573, 575, 579, 580, 581, 583, 584, 585, 586, 588, 589, 591, 595, 598,
    603, 604, 605, 607, 611, 612, 613, 615, 616, 617, 618, 622, 624, 625, 626, 628, 629, 631, 632, 633, 634,
    636, 637, 639, 643, 644, 645, 647, 648, 649, 650, 654, 656, 657, 658, 660, 661, 663, 664, 665, 666, 670,
    672, 673, 674, 678, 683, 684, 689, 692, 696, 698, 699, 701, 702, 703, 704, 706, 707, 708, 712, 714, 715,
    717, 718, 719, 720, 722, 723, 725, 726, 727, 729, 733, 734, 735, 736, 738, 739, 740, 744, 746, 747, 748,
    753, 756, 760, 762, 763, 765, 766, 767, 768, 770, 771, 772, 776, 778, 779, 780, 785, 788, 792, 794, 795,
    796, 801, 805, 806, 807, 809,
};

/* Modulation sequences of S1, most significant bit first. */
static const uint64_t s1_sequence[8] = {
    0x124721741D482E7B, 0x47127421481D7B2E, 0x217412472E7B1D48, 0x742147127B2E481D,
    0x1D482E7B12472174, 0x481D7B2E47127421, 0x2E7B1D4821741247, 0x7B2E481D74214712,
};

/* Modulation sequences of S2. */
static const uint64_t s2_sequence[16][4] = {
    {0x121D4748212E747B, 0x1D1248472E217B74, 0x12E247B721D17484, 0x1DED48B82EDE7B8B},
    {0x4748121D747B212E, 0x48471D127B742E21, 0x47B712E2748421D1, 0x48B81DED7B8B2EDE},
    {0x212E747B121D4748, 0x2E217B741D124847, 0x21D1748412E247B7, 0x2EDE7B8B1DED48B8},
    {0x747B212E4748121D, 0x7B742E2148471D12, 0x748421D147B712E2, 0x7B8B2EDE48B81DED},
    {0x1D1248472E217B74, 0x121D4748212E747B, 0x1DED48B82EDE7B8B, 0x12E247B721D17484},
    {0x48471D127B742E21, 0x4748121D747B212E, 0x48B81DED7B8B2EDE, 0x47B712E2748421D1},
    {0x2E217B741D124847, 0x212E747B121D4748, 0x2EDE7B8B1DED48B8, 0x21D1748412E247B7},
    {0x7B742E2148471D12, 0x747B212E4748121D, 0x7B8B2EDE48B81DED, 0x748421D147B712E2},
    {0x12E247B721D17484, 0x1DED48B82EDE7B8B, 0x121D4748212E747B, 0x1D1248472E217B74},
    {0x47B712E2748421D1, 0x48B81DED7B8B2EDE, 0x4748121D747B212E, 0x48471D127B742E21},
    {0x21D1748412E247B7, 0x2EDE7B8B1DED48B8, 0x212E747B121D4748, 0x2E217B741D124847},
    {0x748421D147B712E2, 0x7B8B2EDE48B81DED, 0x747B212E4748121D, 0x7B742E2148471D12},
    {0x1DED48B82EDE7B8B, 0x12E247B721D17484, 0x1D1248472E217B74, 0x121D4748212E747B},
    {0x48B81DED7B8B2EDE, 0x47B712E2748421D1, 0x48471D127B742E21, 0x4748121D747B212E},
    {0x2EDE7B8B1DED48B8, 0x21D1748412E247B7, 0x2E217B741D124847, 0x212E747B121D4748},
    {0x7B8B2EDE48B81DED, 0x748421D147B712E2, 0x7B742E2148471D12, 0x747B212E4748121D},
};

void dvbt2_p1_scrambling(int8_t signs[DVBT2_P1_CARRIERS])
{
    /* polynomial 1 + x^14 + x^15, initial state from clause 7.2.1 */
    unsigned state = 0x4E46;
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++) {
        unsigned bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        signs[i] = bit ? -1 : 1;
    }
}

int dvbt2_p1_s1_bit(uint8_t s1, uint32_t i)
{
    return s1_sequence[s1 & 7] >> (63 - (i & 63)) & 1;
}

int dvbt2_p1_s2_bit(uint8_t s2, uint32_t i)
{
    return s2_sequence[s2 & 15][i >> 6 & 3] >> (63 - (i & 63)) & 1;
}

void dvbt2_p1_modulation(uint8_t s1, uint8_t s2, int8_t sequence[DVBT2_P1_CARRIERS])
{
    int8_t scrambling[DVBT2_P1_CARRIERS], sign = 1;
    dvbt2_p1_scrambling(scrambling);
    for (uint32_t i = 0; i < DVBT2_P1_CARRIERS; i++) {
        bool in_s2 = i >= DVBT2_P1_S1_BITS && i < DVBT2_P1_S1_BITS + DVBT2_P1_S2_BITS;
        if (in_s2 ? dvbt2_p1_s2_bit(s2, i - DVBT2_P1_S1_BITS) : dvbt2_p1_s1_bit(s1, i))
            sign = (int8_t)-sign;
        sequence[i] = (int8_t)(sign * scrambling[i]);
    }
}

/* Guard intervals (clause 7.2.1, table 19a). */
enum {
    GUARDS_OF_T = 1 << DVBT2_GUARD_1_32 | 1 << DVBT2_GUARD_1_16 | 1 << DVBT2_GUARD_1_8 | 1 << DVBT2_GUARD_1_4,
    GUARDS_OF_T2 = 1 << DVBT2_GUARD_1_128 | 1 << DVBT2_GUARD_19_256 | 1 << DVBT2_GUARD_19_128,
    GUARDS_32K = 1 << DVBT2_GUARD_1_32 | 1 << DVBT2_GUARD_1_16 | 1 << DVBT2_GUARD_1_8,
    GUARDS_1K = 1 << DVBT2_GUARD_1_16 | 1 << DVBT2_GUARD_1_8 | 1 << DVBT2_GUARD_1_4,
};

typedef struct s2_row {
    dvbt2_fft_size fft;
    uint8_t guards; /* GUARDS_... constant; 0: reserved */
} s2_row;

/* First three bits of S2, for the base profile and for T2-Lite. */
static const s2_row s2_base[8] = {
    {DVBT2_FFT_2K,  GUARDS_OF_T               },
    {DVBT2_FFT_8K,  GUARDS_OF_T               },
    {DVBT2_FFT_4K,  GUARDS_OF_T               },
    {DVBT2_FFT_1K,  GUARDS_1K                 },
    {DVBT2_FFT_16K, GUARDS_OF_T | GUARDS_OF_T2},
    {DVBT2_FFT_32K, GUARDS_32K                },
    {DVBT2_FFT_8K,  GUARDS_OF_T2              },
    {DVBT2_FFT_32K, GUARDS_OF_T2              },
};
static const s2_row s2_lite[8] = {
    {DVBT2_FFT_2K,  GUARDS_OF_T },
    {DVBT2_FFT_8K,  GUARDS_OF_T },
    {DVBT2_FFT_4K,  GUARDS_OF_T },
    {DVBT2_FFT_16K, GUARDS_OF_T2},
    {DVBT2_FFT_16K, GUARDS_OF_T },
    {DVBT2_FFT_8K,  0           },
    {DVBT2_FFT_8K,  GUARDS_OF_T2},
    {DVBT2_FFT_8K,  0           },
};

bool dvbt2_p1_fields(uint8_t s1, uint8_t s2, dvbt2_p1_info *info)
{
    *info = (dvbt2_p1_info){.s1 = s1, .s2 = s2, .mixed = s2 & 1};
    if (s1 == DVBT2_S1_NON_T2)
        return true;
    if (s1 > DVBT2_S1_LITE_MISO)
        return false;
    bool lite = s1 == DVBT2_S1_LITE_SISO || s1 == DVBT2_S1_LITE_MISO;
    const s2_row *row = &(lite ? s2_lite : s2_base)[s2 >> 1 & 7];
    info->t2 = row->guards != 0;
    info->miso = s1 == DVBT2_S1_T2_MISO || s1 == DVBT2_S1_LITE_MISO;
    info->profile = lite ? DVBT2_PROFILE_LITE : DVBT2_PROFILE_BASE;
    info->fft = row->fft;
    info->guards = row->guards;
    return info->t2;
}
