/* SPDX-License-Identifier: MIT */
/*
 * filter.h - the filter in 32-bit words, for kernels that have gathered the bits; or in
 * vectors of such words, of a block each: BLOCKSHA_SHA1DC_WORD is their type then.
 */
#ifndef BLOCKSHA_SHA1DC_FILTER_H
#define BLOCKSHA_SHA1DC_FILTER_H

#include "check.h"

#ifndef BLOCKSHA_SHA1DC_WORD
#define BLOCKSHA_SHA1DC_WORD uint32_t
#endif

/* One bit of each of the words 33 to 64, all that occur in conditions: bit i of b4 is
   bit 4 of W[33 + i]. */
struct blocksha_sha1dc_bits {
	BLOCKSHA_SHA1DC_WORD b1, b4, b6, b29;
};

/* The bits of W[K + offset] of all K at once, each at the place of its K; offset <= 8. */
#define AT(bits, offset) ((bits) << (8 - (offset)))

/* The K for which two such bits differ or agree; the K that a condition is not for. */
#define DIFFER(x, y) ((x) ^ (y))
#define AGREE(x, y) (~((x) ^ (y)))
#define K(from, to) (2 * BLOCKSHA_SHA1DC_K_BIT(to) - BLOCKSHA_SHA1DC_K_BIT(from))

/* The DVs that fulfil the conditions on these bits; returns all of them or-ed. What
   passes is looked at once more with all conditions, so that one which would stop few
   blocks may be left out: 0.12 DVs a block pass, of which 0.0495 fulfil all. */
static inline BLOCKSHA_SHA1DC_WORD
blocksha_sha1dc_survivors(struct blocksha_sha1dc_bits bits,
			  BLOCKSHA_SHA1DC_WORD survivors[BLOCKSHA_SHA1DC_CLASSES])
{
	BLOCKSHA_SHA1DC_WORD b1 = bits.b1, b4 = bits.b4, b6 = bits.b6, b29 = bits.b29;
	BLOCKSHA_SHA1DC_WORD x, y, z;

	x = AT(b4, -6);
	y = AT(b4, -10);
	survivors[0] = BLOCKSHA_SHA1DC_ALL_I0 & DIFFER(x, AT(b4, -4)) & AGREE(x, AT(b4, -2)) &
		       DIFFER(x, AT(b4, 0)) & AGREE(x, AT(b29, -3)) & DIFFER(x, AT(b29, -1)) &
		       AGREE(x, AT(b29, 1)) & DIFFER(x, AT(b29, 3)) & DIFFER(x, AT(b29, 4)) &
		       (AGREE(x, AT(b29, -4)) | K(43, 43)) & (AGREE(y, AT(b29, -6)) | K(43, 44)) &
		       (AGREE(y, AT(b29, -7)) | K(43, 46));

	x = AT(b1, -7);
	y = AT(b1, -11);
	survivors[1] = BLOCKSHA_SHA1DC_ALL_I2 & DIFFER(x, AT(b1, 1)) & DIFFER(x, AT(b6, -6)) &
		       DIFFER(x, AT(b6, -4)) & DIFFER(x, AT(b6, -2)) & DIFFER(x, AT(b6, 0)) &
		       DIFFER(y, AT(b6, -10)) & (DIFFER(y, AT(b1, -9)) | K(46, 48)) &
		       (DIFFER(AT(b1, -14), AT(b6, -13)) | K(46, 48));

	x = AT(b4, -4);
	y = AT(b4, -9);
	z = AT(b29, 8);
	survivors[2] = BLOCKSHA_SHA1DC_ALL_II0 & AGREE(x, AT(b29, 0)) & AGREE(y, AT(b29, -5)) &
		       AGREE(z, AT(b4, 4)) & (AGREE(x, AT(b29, -2)) | K(54, 54)) &
		       (AGREE(x, AT(b29, -1)) | K(54, 54)) &
		       (AGREE(AT(b4, -12), AT(b29, -8)) | K(45, 46)) &
		       (AGREE(y, AT(b29, -6)) | K(45, 45) | K(54, 54)) &
		       (AGREE(y, AT(b29, -7)) | K(45, 46) | K(54, 54)) &
		       (DIFFER(z, AT(b4, 2)) | K(54, 56)) & (DIFFER(z, AT(b29, 4)) | K(54, 56)) &
		       (DIFFER(z, AT(b29, 5)) | K(54, 56)) & (AGREE(z, AT(b29, 7)) | K(53, 56)) &
		       (DIFFER(AT(b4, -18), AT(b29, -13)) | K(45, 53)) &
		       (AGREE(AT(b4, -16), AT(b29, -13)) | K(45, 52) | K(55, 56));

	x = AT(b1, 5);
	y = AT(b1, -5);
	z = AT(b1, -10);
	survivors[3] = BLOCKSHA_SHA1DC_ALL_II2 & DIFFER(x, AT(b1, 1)) & AGREE(x, AT(b6, 2)) &
		       AGREE(x, AT(b6, 4)) & DIFFER(y, AT(b1, -3)) & DIFFER(y, AT(b6, -4)) &
		       DIFFER(z, AT(b6, -9)) & (DIFFER(z, AT(b1, -8)) | K(46, 48));

	return survivors[0] | survivors[1] | survivors[2] | survivors[3];
}

#undef AT
#undef DIFFER
#undef AGREE
#undef K

#endif
