/* SPDX-License-Identifier: MIT */
/*
 * many.c - many messages at once.
 *
 * A pool holds the messages in flight, one a lane. Each has a run: whole blocks
 * that lie side by side, in a piece of the message or, where pieces meet and at
 * the padded end, in the lane's own buffer. A step advances the first lanes of
 * the pool by as many blocks as the shortest of their runs has, with the kernel
 * that does so many lanes at the least cost. A lane whose message ends takes the
 * next message; when none is left, the last lane moves into its place, so that
 * the lanes in flight are always the first ones.
 */
#include "detect.h"
#include "stream.h"

/* What the scheduler must know of a hash. */
struct hash {
	enum blocksha_algorithm algorithm;
	unsigned words;
	const uint32_t *initial;
	int detects;
};

static const struct hash sha1 = {BLOCKSHA_SHA1, BLOCKSHA_SHA1_WORDS, blocksha_sha1_initial, 0};
static const struct hash sha256 = {BLOCKSHA_SHA256, BLOCKSHA_SHA256_WORDS, blocksha_sha256_initial,
				   0};
static const struct hash sha1dc = {BLOCKSHA_SHA1DC, BLOCKSHA_SHA1_WORDS, blocksha_sha1_initial, 1};

/* One message in flight. */
struct message {
	size_t index;                       /* in the caller's array */
	const struct blocksha_piece *piece; /* the next one */
	size_t pieces;                      /* from there on */
	const unsigned char *data;          /* what is left of the piece before *piece */
	size_t size;
	uint64_t length; /* of all pieces begun */
	unsigned used;   /* bytes in buffer; they are fewer than a block */
	int finished;    /* the last run is under way */
	struct blocksha_detection detection;
	unsigned char buffer[STREAM_LAST_SIZE];
};

struct pool {
	unsigned active;
	const unsigned char *data[BLOCKSHA_LANES_MAX]; /* the run of each lane */
	size_t nblocks[BLOCKSHA_LANES_MAX];
	struct message *message[BLOCKSHA_LANES_MAX];
	uint32_t state[BLOCKSHA_SHA256_WORDS * BLOCKSHA_LANES_MAX]; /* as kernel.h says */
	struct message messages[BLOCKSHA_LANES_MAX];
};

static uint32_t *state_word(struct pool *pool, unsigned l, unsigned w)
{
	return &pool->state[w * BLOCKSHA_LANES_MAX + l];
}

/* Puts the rest of the message, which fits into the buffer, and the padding of FIPS
   180-4 section 5.1.1 behind the bytes there; returns the number of blocks, 1 or 2. */
static size_t finish(struct message *m)
{
	size_t used = m->used + m->size;

	m->finished = 1;
	if (m->used == 0)
		return stream_last_blocks(m->buffer, m->data, m->size, m->length);
	if (m->size != 0)
		memcpy(m->buffer + m->used, m->data, m->size);
	memset(m->buffer + used, 0, sizeof(m->buffer) - used);
	return stream_pad_last(m->buffer, used, m->length);
}

/* Moves bytes of the piece into the buffer; returns whether they fill a block. */
static int fill_block(struct message *m)
{
	size_t room = BLOCKSHA_BLOCK_SIZE - m->used;
	size_t take = m->size < room ? m->size : room;

	memcpy(m->buffer + m->used, m->data, take);
	m->data += take;
	m->size -= take;
	m->used = (m->used + (unsigned)take) % BLOCKSHA_BLOCK_SIZE;
	return take == room;
}

/* Finds the next whole blocks that lie side by side; returns their number, 0 when
   the message has ended. */
static size_t next_run(struct message *m, const unsigned char **data)
{
	while (!m->finished) {
		*data = m->buffer;
		if (m->pieces == 0 && m->used + m->size <= sizeof(m->buffer) - 9)
			return finish(m);
		if (m->used == 0 && m->size >= BLOCKSHA_BLOCK_SIZE) {
			size_t nblocks = m->size / BLOCKSHA_BLOCK_SIZE;

			*data = m->data;
			m->data += nblocks * BLOCKSHA_BLOCK_SIZE;
			m->size %= BLOCKSHA_BLOCK_SIZE;
			return nblocks;
		}
		if (m->size != 0 && fill_block(m))
			return 1;
		if (m->pieces != 0) {
			m->data = m->piece->data;
			m->size = m->piece->size;
			m->length += m->size;
			m->piece++;
			m->pieces--;
		}
	}
	return 0;
}

static BLOCKSHA_ALWAYS_INLINE void start(struct pool *pool, unsigned l, const struct hash *hash,
					 const struct blocksha_message *message, size_t index)
{
	struct message *m = pool->message[l];

	m->index = index;
	m->piece = message->pieces;
	m->pieces = message->count;
	m->size = 0;
	m->length = 0;
	m->used = 0;
	m->finished = 0;
	if (hash->detects)
		blocksha_detect_init(&m->detection);
	for (unsigned w = 0; w < hash->words; w++)
		*state_word(pool, l, w) = hash->initial[w];
	pool->nblocks[l] = next_run(m, &pool->data[l]);
}

static BLOCKSHA_ALWAYS_INLINE void put_digest(struct pool *pool, unsigned l,
					      const struct hash *hash, unsigned char *digests)
{
	unsigned char *digest = digests + pool->message[l]->index * 4 * hash->words;

	for (unsigned w = 0; w < hash->words; w++)
		blocksha_put_be32(digest + 4 * w, *state_word(pool, l, w));
}

/* Returns BLOCKSHA_OK or BLOCKSHA_ATTACK. */
static int put_verdict(const struct message *m, struct blocksha_attack *attacks)
{
	return blocksha_detect_verdict(&m->detection, attacks != NULL ? &attacks[m->index] : NULL);
}

/* Moves the last active lane to lane l, whose message has ended. */
static void close_gap(struct pool *pool, unsigned l, const struct hash *hash)
{
	unsigned last = --pool->active;
	struct message *ended = pool->message[l];

	pool->message[l] = pool->message[last];
	pool->message[last] = ended;
	pool->data[l] = pool->data[last];
	pool->nblocks[l] = pool->nblocks[last];
	for (unsigned w = 0; w < hash->words; w++)
		*state_word(pool, l, w) = *state_word(pool, last, w);
}

static void get_state(struct pool *pool, unsigned l, unsigned words, uint32_t *state)
{
	for (unsigned w = 0; w < words; w++)
		state[w] = *state_word(pool, l, w);
}

static void set_state(struct pool *pool, unsigned l, unsigned words, const uint32_t *state)
{
	for (unsigned w = 0; w < words; w++)
		*state_word(pool, l, w) = state[w];
}

/* Advances lane 0 with a kernel of one message. */
static BLOCKSHA_ALWAYS_INLINE void compress_one(struct pool *pool,
						const struct blocksha_kernel *row,
						const struct hash *hash, size_t nblocks)
{
	uint32_t state[BLOCKSHA_SHA256_WORDS];

	get_state(pool, 0, hash->words, state);
	if (hash->detects)
		blocksha_detect_blocks(&pool->message[0]->detection, row, state, pool->data[0],
				       nblocks);
	else
		row->compress(state, pool->data[0], nblocks);
	set_state(pool, 0, hash->words, state);
}

/* Advances the first lanes with a kernel that detects; those with an attack are computed
   again, one by one. */
static void detect_lanes(struct pool *pool, const struct blocksha_kernel *row, unsigned lanes,
			 size_t nblocks)
{
	uint32_t before[BLOCKSHA_SHA1_WORDS * BLOCKSHA_LANES_MAX];
	uint32_t attacks;

	memcpy(before, pool->state, sizeof(before));
	attacks = row->detect_lanes(pool->state, pool->data, nblocks);
	for (unsigned l = 0; l < lanes; l++) {
		struct blocksha_detection *d = &pool->message[l]->detection;
		uint32_t state[BLOCKSHA_SHA1_WORDS];

		if ((attacks >> l & 1) == 0) {
			d->done += (uint64_t)nblocks * BLOCKSHA_BLOCK_SIZE;
			continue;
		}
		for (unsigned w = 0; w < BLOCKSHA_SHA1_WORDS; w++)
			state[w] = before[w * BLOCKSHA_LANES_MAX + l];
		blocksha_detect_again(d, state, pool->data[l], nblocks);
		set_state(pool, l, BLOCKSHA_SHA1_WORDS, state);
	}
}

/* Advances the first lanes by as many blocks as the shortest of their runs has;
   returns how many lanes. */
static BLOCKSHA_ALWAYS_INLINE unsigned step(struct pool *pool, const struct blocksha_kernel *row,
					    const struct hash *hash)
{
	unsigned lanes = pool->active < row->lanes ? pool->active : row->lanes;
	size_t nblocks = pool->nblocks[0];

	for (unsigned l = 1; l < lanes; l++)
		if (pool->nblocks[l] < nblocks)
			nblocks = pool->nblocks[l];
	/* Lanes without a message read what lane 0 reads. */
	for (unsigned l = lanes; l < row->lanes; l++)
		pool->data[l] = pool->data[0];
	if (row->lanes == 1)
		compress_one(pool, row, hash, nblocks);
	else if (hash->detects)
		detect_lanes(pool, row, lanes, nblocks);
	else
		row->compress_lanes(pool->state, pool->data, nblocks);
	for (unsigned l = 0; l < lanes; l++) {
		pool->data[l] += nblocks * BLOCKSHA_BLOCK_SIZE;
		pool->nblocks[l] -= nblocks;
	}
	return lanes;
}

/* Inline, so that each hash has its own copy, with its number of words. */
static BLOCKSHA_ALWAYS_INLINE int many(const struct hash *hash,
				       const struct blocksha_message *messages, size_t count,
				       unsigned char *digests, struct blocksha_attack *attacks)
{
	struct blocksha_plan plan;
	struct pool pool;
	const struct blocksha_kernel *row;
	size_t next = 0;
	int result = BLOCKSHA_OK;

	blocksha_plan_for(hash->algorithm, &plan);
	memset(pool.state, 0, sizeof(pool.state));
	for (pool.active = 0; pool.active < plan.width && next < count; pool.active++) {
		pool.message[pool.active] = &pool.messages[pool.active];
		start(&pool, pool.active, hash, &messages[next], next);
		next++;
	}
	row = blocksha_plan_pick(&plan, pool.active);
	while (pool.active > 0) {
		/* From the last lane to the first, so that a lane which moves into a
		   gap has been looked at. */
		for (unsigned l = step(&pool, row, hash); l-- > 0;) {
			if (pool.nblocks[l] != 0)
				continue;
			pool.nblocks[l] = next_run(pool.message[l], &pool.data[l]);
			if (pool.nblocks[l] != 0)
				continue;
			put_digest(&pool, l, hash, digests);
			if (hash->detects)
				result |= put_verdict(pool.message[l], attacks);
			if (next < count) {
				start(&pool, l, hash, &messages[next], next);
				next++;
			} else {
				close_gap(&pool, l, hash);
				row = blocksha_plan_pick(&plan, pool.active);
			}
		}
	}
	return result;
}

BLOCKSHA_EXPORT void blocksha_sha1_many(const struct blocksha_message *messages, size_t count,
					unsigned char (*digests)[BLOCKSHA_SHA1_DIGEST_SIZE])
{
	if (count == 1) { /* spares the pool */
		blocksha_sha1_ctx ctx;

		blocksha_sha1_init(&ctx);
		for (size_t i = 0; i < messages->count; i++)
			blocksha_sha1_update(&ctx, messages->pieces[i].data,
					     messages->pieces[i].size);
		blocksha_sha1_final(&ctx, digests[0]);
		return;
	}
	many(&sha1, messages, count, (unsigned char *)digests, NULL);
}

BLOCKSHA_EXPORT void blocksha_sha256_many(const struct blocksha_message *messages, size_t count,
					  unsigned char (*digests)[BLOCKSHA_SHA256_DIGEST_SIZE])
{
	if (count == 1) { /* spares the pool */
		blocksha_sha256_ctx ctx;

		blocksha_sha256_init(&ctx);
		for (size_t i = 0; i < messages->count; i++)
			blocksha_sha256_update(&ctx, messages->pieces[i].data,
					       messages->pieces[i].size);
		blocksha_sha256_final(&ctx, digests[0]);
		return;
	}
	many(&sha256, messages, count, (unsigned char *)digests, NULL);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_many(const struct blocksha_message *messages, size_t count,
					 unsigned char (*digests)[BLOCKSHA_SHA1_DIGEST_SIZE],
					 struct blocksha_attack *attacks)
{
	if (count == 1) {
		blocksha_sha1dc_ctx ctx;

		blocksha_sha1dc_init(&ctx);
		for (size_t i = 0; i < messages->count; i++)
			blocksha_sha1dc_update(&ctx, messages->pieces[i].data,
					       messages->pieces[i].size);
		return blocksha_sha1dc_final(&ctx, digests[0], attacks);
	}
	return many(&sha1dc, messages, count, (unsigned char *)digests, attacks);
}
