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

/* --- Errors ---------------------------------------------------------------- */

#define BLOCKSHA_OK 0
/* The calls came in a wrong order: the context was never initialised, or it was
   finished by final and used again without init. */
#define BLOCKSHA_ERROR_ORDER (-1)
/* The message grew beyond 2^61-1 bytes. */
#define BLOCKSHA_ERROR_LENGTH (-2)
/* Input of the wrong form: not an exported state, or not hexadecimal digits. */
#define BLOCKSHA_ERROR_FORMAT (-3)

/* An English sentence for an error code; a static string, never NULL. */
const char *blocksha_strerror(int error);

/* --- Sizes, in bytes ------------------------------------------------------- */

#define BLOCKSHA_BLOCK_SIZE 64 /* of both hashes: FIPS 180-4 figure 1 */
#define BLOCKSHA_SHA1_DIGEST_SIZE 20
#define BLOCKSHA_SHA256_DIGEST_SIZE 32
#define BLOCKSHA_SHA1_EXPORT_SIZE 104
#define BLOCKSHA_SHA256_EXPORT_SIZE 116

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
