/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_sha256_shani.h - SHA-1 with collision detection and SHA-256 of the same bytes in
 * one pass, with the SHA instructions of x86: the template of the kernels, which include
 * their filter and define DETECT_KERNEL, the name of the function, before. The rounds of
 * SHA-256 stand between those of SHA-1, as in sha1_sha256_shani.c.
 */
#include "../sha256_k.h"
#include "sha1dc_shani_rounds.h"

/* SHA-256 on its way through a block; see sha256_shani.c. */
struct sha256 {
	__m128i abef, cdgh;
	__m128i w[4];
};

static TARGET BLOCKSHA_ALWAYS_INLINE void sha256_load(struct sha256 *s, const unsigned char *data)
{
	s->w[0] = _mm_shuffle_epi32(load_block(data), 0x1b);
	s->w[1] = _mm_shuffle_epi32(load_block(data + 16), 0x1b);
	s->w[2] = _mm_shuffle_epi32(load_block(data + 32), 0x1b);
	s->w[3] = _mm_shuffle_epi32(load_block(data + 48), 0x1b);
}

/* The rounds 4 n to 4 n + 3. */
static TARGET BLOCKSHA_ALWAYS_INLINE void sha256_rounds4(struct sha256 *s, unsigned n)
{
	const void *k = sha256_k + (size_t)4 * n;
	__m128i *w = s->w;
	__m128i wk = _mm_add_epi32(w[n % 4], _mm_loadu_si128(k));

	s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, wk);
	s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(wk, 0x0e));
	if (n < 12) {
		__m128i x = _mm_sha256msg1_epu32(w[n % 4], w[(n + 1) % 4]);

		x = _mm_add_epi32(x, _mm_alignr_epi8(w[(n + 3) % 4], w[(n + 2) % 4], 4));
		w[n % 4] = _mm_sha256msg2_epu32(x, w[(n + 3) % 4]);
	}
}

/* All rounds of a block, for the rare one that has candidates to check beside it. */
static TARGET __attribute__((noinline)) void sha256_block(struct sha256 *s)
{
	for (unsigned n = 0; n < 16; n++)
		sha256_rounds4(s, n);
}

#define SHA256_BESIDE(n) sha256_rounds4(&sha256, n)

TARGET int DETECT_KERNEL(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	struct queue queue;
	uint32_t survivors[4];
	struct chain chain = {
		load_words(state),
		_mm_slli_si128(_mm_cvtsi32_si128((int)state[4]), 12),
	};
	__m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 5)), 0xb1);
	__m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 9)), 0x1b);
	struct sha256 sha256;

	sha256.abef = _mm_alignr_epi8(cdab, efgh, 8);
	sha256.cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
	make_queue(&queue);
	for (; nblocks > 0; nblocks--, data += 64) {
		struct block *slot = queue.under_way[0];
		const __m128i abef_before = sha256.abef, cdgh_before = sha256.cdgh;

		sha256_load(&sha256, data);
		if (BLOCKSHA_LIKELY(queue.count < QUEUE)) {
			COMPRESS(&chain, data, slot, LEAVE_OUT, SHA256_BESIDE);
		} else {
			struct chain copy = chain; /* so that chain itself stays in registers */
			struct sha256 copy256 = sha256;

			compress_and_check(&queue, &copy, data);
			chain = copy;
			sha256_block(&copy256);
			sha256 = copy256;
		}
		sha256.abef = _mm_add_epi32(sha256.abef, abef_before);
		sha256.cdgh = _mm_add_epi32(sha256.cdgh, cdgh_before);
		if (!BLOCKSHA_LIKELY(!filter(slot->w, survivors))) {
			slot->out_abcd = chain.abcd;
			slot->out_e = chain.e;
			add_survivors(&queue, 0, survivors);
		}
	}
	empty_queue(&queue);

	_mm_storeu_si128((__m128i *)(void *)state, _mm_shuffle_epi32(chain.abcd, 0x1b));
	state[4] = (uint32_t)_mm_extract_epi32(chain.e, 3);
	cdab = _mm_shuffle_epi32(sha256.abef, 0x1b);
	efgh = _mm_shuffle_epi32(sha256.cdgh, 0xb1);
	_mm_storeu_si128((__m128i *)(void *)(state + 5), _mm_blend_epi16(cdab, efgh, 0xf0));
	_mm_storeu_si128((__m128i *)(void *)(state + 9), _mm_alignr_epi8(efgh, cdab, 8));
	return queue.attacks != 0;
}
