/* SPDX-License-Identifier: MIT */
/*
 * blocksha.h - SHA-1 and SHA-256 (FIPS 180-4), streaming and one-shot.
 *
 *     unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE];
 *     blocksha_sha256_ctx ctx;
 *     blocksha_sha256_init(&ctx);
 *     blocksha_sha256_update(&ctx, "abc", 3);
 *     if (blocksha_sha256_final(&ctx, digest) != BLOCKSHA_OK)
 *         abort();
 *
 * What holds for every function here, unless it says otherwise:
 *
 * - Sizes are size_t, in bytes. A message may be as long as 2^61-1 bytes, the
 *   limit of FIPS 180-4 section 1. Data may lie at any address (there is no
 *   alignment requirement); (NULL, 0) is a valid empty input.
 * - Digests are bytes in the order in which FIPS 180-4 prints them.
 * - A digest may be written over the message that it is of.
 * - Nothing is allocated, no file, locale or environment is touched, and there
 *   is no library-wide initialisation. Contexts are plain structs which the
 *   caller owns, on the stack if he likes; assigning one clones it. Members
 *   are not part of the interface; the size is part of the ABI.
 * - Different threads may use different contexts at the same time; one context
 *   must not be used by two threads at once.
 * - Functions that return int return BLOCKSHA_OK (0) or a negative BLOCKSHA_ERROR_*.
 *
 * SHA-1 is broken as a collision-resistant function (Stevens et al., CRYPTO
 * 2017; Leurent and Peyrin, USENIX Security 2020). It is here because git,
 * build-ids and old checksum lists name their contents by it. New designs take
 * SHA-256.
 */
#ifndef BLOCKSHA_H
#define BLOCKSHA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Version --------------------------------------------------------------- */

/* The version that a program was compiled with: MAJOR * 10000 + MINOR * 100 + PATCH. */
#define BLOCKSHA_VERSION_MAJOR 0
#define BLOCKSHA_VERSION_MINOR 1
#define BLOCKSHA_VERSION_PATCH 0
#define BLOCKSHA_VERSION \
	(BLOCKSHA_VERSION_MAJOR * 10000 + BLOCKSHA_VERSION_MINOR * 100 + BLOCKSHA_VERSION_PATCH)

/* The version of the library that the program runs with, in the same form. */
int blocksha_version(void);

/* --- Results --------------------------------------------------------------- */

#define BLOCKSHA_OK 0
/* Only from functions that detect: the digest was written, and the message carries a
   collision attack on SHA-1. */
#define BLOCKSHA_ATTACK 1
/* The calls came in a wrong order: the context was never initialised, or it was
   finished by final and used again without init. */
#define BLOCKSHA_ERROR_ORDER (-1)
/* The message grew beyond 2^61-1 bytes. */
#define BLOCKSHA_ERROR_LENGTH (-2)
/* Input of the wrong form: not an exported state, or not hexadecimal digits. */
#define BLOCKSHA_ERROR_FORMAT (-3)
/* A kernel that is unknown or that this machine cannot run. */
#define BLOCKSHA_ERROR_KERNEL (-4)
/* A kernel whose results are wrong on this machine. */
#define BLOCKSHA_ERROR_SELF_TEST (-5)

/* An English sentence for such a result; a static string, never NULL. */
const char *blocksha_strerror(int error);

/* --- Sizes, in bytes ------------------------------------------------------- */

#define BLOCKSHA_BLOCK_SIZE 64 /* of both hashes: FIPS 180-4 figure 1 */
#define BLOCKSHA_SHA1_DIGEST_SIZE 20
#define BLOCKSHA_SHA256_DIGEST_SIZE 32
#define BLOCKSHA_SHA1_EXPORT_SIZE 104
#define BLOCKSHA_SHA256_EXPORT_SIZE 116
#define BLOCKSHA_SHA1_SHA256_EXPORT_SIZE 136
#define BLOCKSHA_SHA1DC_EXPORT_SIZE 128
#define BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE 160

/* --- Contexts -------------------------------------------------------------- */

struct blocksha_kernel; /* the compression function in use; opaque */

/* What all contexts have in common. Private. */
struct blocksha_stream {
	uint64_t length;                      /* bytes so far */
	const struct blocksha_kernel *kernel; /* chosen by init */
	int32_t status;                       /* 1 in use, 0 finished, < 0 the error that sticks */
	unsigned char buffer[BLOCKSHA_BLOCK_SIZE];
};

typedef struct blocksha_sha1_ctx {
	struct blocksha_stream stream;
	uint32_t state[5];
} blocksha_sha1_ctx;

typedef struct blocksha_sha256_ctx {
	struct blocksha_stream stream;
	uint32_t state[8];
} blocksha_sha256_ctx;

typedef struct blocksha_sha1_sha256_ctx {
	struct blocksha_stream stream;
	uint32_t state[13];
} blocksha_sha1_sha256_ctx;

/* Called for each block that is part of an attack: its offset in the message in bytes;
   the chaining values before the block and the expanded messages (W_0 to W_79) of the
   block itself and of the other half of the near-collision, as far as the block's words
   determine it. */
typedef void blocksha_attack_fn(void *arg, uint64_t offset, const uint32_t in[5],
				const uint32_t other_in[5], const uint32_t w[80],
				const uint32_t other_w[80]);

/* What is known of the attacks in a message. Private. */
struct blocksha_detection {
	uint64_t done;   /* bytes of the message in whole blocks so far */
	uint64_t offset; /* of the first block that is part of an attack */
	uint64_t blocks; /* how many are */
	uint32_t vector; /* of the first, the one with the lowest index */
	uint32_t options;
	blocksha_attack_fn *callback;
	void *callback_arg;
};

typedef struct blocksha_sha1dc_ctx {
	struct blocksha_stream stream;
	uint32_t state[5];
	struct blocksha_detection detection;
} blocksha_sha1dc_ctx;

typedef struct blocksha_sha1dc_sha256_ctx {
	struct blocksha_stream stream;
	uint32_t state[13];
	struct blocksha_detection detection;
} blocksha_sha1dc_sha256_ctx;

/* --- SHA-1 ----------------------------------------------------------------- */

/* The digest of one message of size bytes. */
void blocksha_sha1(const void *data, size_t size, unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE]);

/* Begins a message. ctx may hold anything before. */
void blocksha_sha1_init(blocksha_sha1_ctx *ctx);

/* Appends size bytes. A message may come in pieces of any sizes. Errors (wrong
   order, too long) stay in ctx and are told by peek and final. */
void blocksha_sha1_update(blocksha_sha1_ctx *ctx, const void *data, size_t size);

/* Writes the digest of all bytes so far; ctx goes on as if nothing had happened.
   On error digest is not written. Costs one or two blocks. */
int blocksha_sha1_peek(const blocksha_sha1_ctx *ctx,
		       unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE]);

/* Writes the digest and wipes ctx: it is all zero then, which means finished. On
   error digest is not written and ctx is wiped all the same. */
int blocksha_sha1_final(blocksha_sha1_ctx *ctx, unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE]);

/* Saves a message that is not yet finished, to go on later, in another process or
   on another machine. The form has a version, an algorithm and a check, and does
   not depend on the CPU or the kernel; docs/state.md describes it. The check finds
   accidents, not forgery: take no state from those you do not trust. It contains
   up to 63 bytes of the message. */
int blocksha_sha1_export(const blocksha_sha1_ctx *ctx,
			 unsigned char out[BLOCKSHA_SHA1_EXPORT_SIZE]);

/* Goes on from a saved state of size bytes. Anything that export did not write is
   BLOCKSHA_ERROR_FORMAT, and ctx is then wiped. */
int blocksha_sha1_import(blocksha_sha1_ctx *ctx, const void *saved, size_t size);

/* --- SHA-256: as SHA-1 ----------------------------------------------------- */

void blocksha_sha256(const void *data, size_t size,
		     unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE]);
void blocksha_sha256_init(blocksha_sha256_ctx *ctx);
void blocksha_sha256_update(blocksha_sha256_ctx *ctx, const void *data, size_t size);
int blocksha_sha256_peek(const blocksha_sha256_ctx *ctx,
			 unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE]);
int blocksha_sha256_final(blocksha_sha256_ctx *ctx,
			  unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE]);
int blocksha_sha256_export(const blocksha_sha256_ctx *ctx,
			   unsigned char out[BLOCKSHA_SHA256_EXPORT_SIZE]);
int blocksha_sha256_import(blocksha_sha256_ctx *ctx, const void *saved, size_t size);

/* --- SHA-1 with detection of collision attacks ----------------------------- */

/* SHA-1DC (Stevens and Shumow, USENIX Security 2017) finds, with one of two colliding
   messages alone, that it was made by an attack of the known kind, such as SHAttered and
   SHA-mbles. A message that nobody made for this has a chance below 2^-90 a block to be
   taken for one. docs/detection.md and SECURITY.md say what is promised and what is not.

   The digest is that of SHA-1, attack or not, unless BLOCKSHA_SHA1DC_SAFE_HASH asks for
   another. The verdict is the result: BLOCKSHA_ATTACK is not BLOCKSHA_OK, so a caller who
   compares with BLOCKSHA_OK treats an attack as a failure.

   The functions are as for SHA-1, at 0.97 of its speed with SHA-NI and AVX-512. */

struct blocksha_attack {
	uint64_t offset; /* of the first block that is part of an attack, in bytes */
	uint64_t blocks; /* how many are; 0: none, and the rest is 0 */
	uint32_t vector; /* the disturbance vector of the first, 0 to 31: blocksha_vector_name */
};

/* The name of a disturbance vector as in the papers: "II(52,0)". A static string. */
const char *blocksha_vector_name(unsigned vector);

/* Options, to be set between init and the first update. */

/* Block for block that is part of an attack, compress it twice more, as the reference
   implementation does by default: the digests of colliding messages then differ, and
   differ from SHA-1. */
#define BLOCKSHA_SHA1DC_SAFE_HASH 1u
/* Find attacks on SHA-1 with fewer steps, too. Takes the portable kernel. */
#define BLOCKSHA_SHA1DC_REDUCED_ROUNDS 2u
/* Check all blocks for all disturbance vectors, without the filter of unavoidable
   conditions, which rests on a conjecture of the paper. Twenty times slower. */
#define BLOCKSHA_SHA1DC_NO_FILTER 4u
/* Take no notice of attacks: plain SHA-1. For interfaces that can switch detection off. */
#define BLOCKSHA_SHA1DC_IGNORE 8u

void blocksha_sha1dc_set_options(blocksha_sha1dc_ctx *ctx, unsigned options);
void blocksha_sha1dc_set_callback(blocksha_sha1dc_ctx *ctx, blocksha_attack_fn *callback,
				  void *arg);

/* attack may be NULL here and below. */
int blocksha_sha1dc(const void *data, size_t size, unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
		    struct blocksha_attack *attack);
void blocksha_sha1dc_init(blocksha_sha1dc_ctx *ctx);
void blocksha_sha1dc_update(blocksha_sha1dc_ctx *ctx, const void *data, size_t size);
int blocksha_sha1dc_peek(const blocksha_sha1dc_ctx *ctx,
			 unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
			 struct blocksha_attack *attack);
int blocksha_sha1dc_final(blocksha_sha1dc_ctx *ctx, unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
			  struct blocksha_attack *attack);

/* Options and verdict are part of the saved state; a callback is not. */
int blocksha_sha1dc_export(const blocksha_sha1dc_ctx *ctx,
			   unsigned char out[BLOCKSHA_SHA1DC_EXPORT_SIZE]);
int blocksha_sha1dc_import(blocksha_sha1dc_ctx *ctx, const void *saved, size_t size);

/* --- Both hashes of the same bytes ----------------------------------------- */

/* As SHA-1, but one pass makes both digests. With SHA-NI this takes about as long as
   SHA-256 alone. */
void blocksha_sha1_sha256(const void *data, size_t size,
			  unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
			  unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE]);
void blocksha_sha1_sha256_init(blocksha_sha1_sha256_ctx *ctx);
void blocksha_sha1_sha256_update(blocksha_sha1_sha256_ctx *ctx, const void *data, size_t size);
int blocksha_sha1_sha256_peek(const blocksha_sha1_sha256_ctx *ctx,
			      unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
			      unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE]);
int blocksha_sha1_sha256_final(blocksha_sha1_sha256_ctx *ctx,
			       unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
			       unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE]);
int blocksha_sha1_sha256_export(const blocksha_sha1_sha256_ctx *ctx,
				unsigned char out[BLOCKSHA_SHA1_SHA256_EXPORT_SIZE]);
int blocksha_sha1_sha256_import(blocksha_sha1_sha256_ctx *ctx, const void *saved, size_t size);

/* The same with detection, without options. */
int blocksha_sha1dc_sha256(const void *data, size_t size,
			   unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
			   unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
			   struct blocksha_attack *attack);
void blocksha_sha1dc_sha256_init(blocksha_sha1dc_sha256_ctx *ctx);
void blocksha_sha1dc_sha256_update(blocksha_sha1dc_sha256_ctx *ctx, const void *data, size_t size);
int blocksha_sha1dc_sha256_peek(const blocksha_sha1dc_sha256_ctx *ctx,
				unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
				unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
				struct blocksha_attack *attack);
int blocksha_sha1dc_sha256_final(blocksha_sha1dc_sha256_ctx *ctx,
				 unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
				 unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
				 struct blocksha_attack *attack);
int blocksha_sha1dc_sha256_export(const blocksha_sha1dc_sha256_ctx *ctx,
				  unsigned char out[BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE]);
int blocksha_sha1dc_sha256_import(blocksha_sha1dc_sha256_ctx *ctx, const void *saved, size_t size);

/* --- Many messages at once ------------------------------------------------- */

/* A stretch of a message. */
struct blocksha_piece {
	const void *data;
	size_t size;
};

/* A message: its pieces one after the other, say a header and a body. No piece at
   all is the empty message. */
struct blocksha_message {
	const struct blocksha_piece *pieces;
	size_t count;
};

/* digests[i] becomes the digest of messages[i]. The messages may be of any lengths and
   share memory, but no digest may overlap with a message. They are hashed side by side
   in the lanes of one core, as many at once as this CPU does best (blocksha_get_kernel_info tells):
   with AVX-512, thousands of files of 4 KiB take a fifth of the time that one after the
   other takes. Messages of like lengths side by side use the lanes best. One message
   costs what blocksha_sha1 costs; none is allowed. Takes up to 32 KiB of stack. */
void blocksha_sha1_many(const struct blocksha_message *messages, size_t count,
			unsigned char (*digests)[BLOCKSHA_SHA1_DIGEST_SIZE]);
void blocksha_sha256_many(const struct blocksha_message *messages, size_t count,
			  unsigned char (*digests)[BLOCKSHA_SHA256_DIGEST_SIZE]);

/* With detection: attacks[i] is the verdict on messages[i]; attacks may be NULL. Returns
   BLOCKSHA_ATTACK if any message carries an attack. */
int blocksha_sha1dc_many(const struct blocksha_message *messages, size_t count,
			 unsigned char (*digests)[BLOCKSHA_SHA1_DIGEST_SIZE],
			 struct blocksha_attack *attacks);

/* --- Kernels --------------------------------------------------------------- */

/* The compression functions that this library has, one by one. */
struct blocksha_kernel_info {
	const char *algorithm; /* "sha1", "sha256", "sha1+sha256", "sha1dc", "sha1dc+sha256" */
	const char *name;      /* "x86-shani"; unique in its algorithm */
	unsigned lanes;        /* messages that it advances at once */
	int compiled;          /* is in this build of the library */
	int usable;            /* and this CPU and operating system can run it */
	int selected;          /* contexts begun now, or many messages, use it */
	const char *missing;   /* a CPU feature that it needs and that is not usable, or NULL */
};

/* Describes kernel index (0, 1, ... until the answer is BLOCKSHA_ERROR_KERNEL). Strings
   are static. */
int blocksha_get_kernel_info(size_t index, struct blocksha_kernel_info *info);

/* Runs kernel index against the portable one on fixed data, which takes less than a
   millisecond. BLOCKSHA_OK, BLOCKSHA_ERROR_KERNEL when it cannot run here, or
   BLOCKSHA_ERROR_SELF_TEST. */
int blocksha_kernel_test(size_t index);

/* Forces kernels: a list such as "sha1:x86-avx2,sha256:portable". A kernel of one lane
   is then used for all of its algorithm, also for many messages (one at a time); one of
   several lanes for many messages only; of two for the same the last one counts. What the
   list does not name is chosen
   automatically; NULL and "" force nothing. An unknown or unusable name is
   BLOCKSHA_ERROR_KERNEL and changes nothing. May be called while other threads hash: it
   holds for contexts begun later. */
int blocksha_force_kernels(const char *list);

/* --- Hexadecimal ----------------------------------------------------------- */

/* Writes 2 * size lower-case digits and a terminating NUL to hex. */
void blocksha_hex_encode(char *hex, const void *bytes, size_t size);

/* Reads exactly 2 * size digits of either case from hex, which needs no NUL behind
   them. BLOCKSHA_ERROR_FORMAT at the first character that is no digit; nothing
   behind it is read. bytes then holds what was decoded so far. */
int blocksha_hex_decode(void *bytes, const char *hex, size_t size);

#ifdef __cplusplus
}
#endif

#endif
