/* SPDX-License-Identifier: MIT */
/*
 * abi_sha1detectcoll.c - the binary interface of libsha1detectcoll 1.0, which programs have
 * compiled into themselves: they own the context, on their stack, and read found_collision. To
 * be compiled (abi_sha1detectcoll.sh), for as many ABIs as there are compilers for.
 */
#include "sha1dc/sha1.h"

/* The header brings size_t and the fixed-width types with it. */
static size_t own_size_t;
static uint64_t own_uint64;

#define OFFSET(member, expected) \
	_Static_assert(offsetof(SHA1_CTX, member) == (expected), "offset of " #member)
#define SIZE(member, expected) \
	_Static_assert(sizeof(((SHA1_CTX *)0)->member) == (expected), "size of " #member)

/* On all ABIs with 32-bit int. */
OFFSET(total, 0);
OFFSET(ihv, 8);
OFFSET(buffer, 28);
OFFSET(found_collision, 92);
OFFSET(safe_hash, 96);
OFFSET(detect_coll, 100);
OFFSET(ubc_check, 104);
OFFSET(reduced_round_coll, 108);
OFFSET(callback, 112);
SIZE(total, 8);
SIZE(ihv, 20);
SIZE(buffer, 64);
SIZE(found_collision, 4);
SIZE(ihv1, 20);
SIZE(ihv2, 20);
SIZE(m1, 320);
SIZE(m2, 320);
SIZE(states, 1600);

/* Behind the pointer. */
enum { POINTER = sizeof(collision_block_callback) };
OFFSET(ihv1, 112 + POINTER);
OFFSET(ihv2, 112 + POINTER + 20);
OFFSET(m1, 112 + POINTER + 40);
OFFSET(m2, 112 + POINTER + 360);
OFFSET(states, 112 + POINTER + 680);

#if UINTPTR_MAX > 0xffffffff
_Static_assert(sizeof(SHA1_CTX) == 2400, "64 bits");
_Static_assert(_Alignof(SHA1_CTX) == 8, "64 bits");
#elif defined(__i386__)
_Static_assert(sizeof(SHA1_CTX) == 2396, "i386: 64-bit members are aligned to 4 bytes");
_Static_assert(_Alignof(SHA1_CTX) == 4, "i386");
#else
_Static_assert(sizeof(SHA1_CTX) ==
		       (2396 + _Alignof(uint64_t) - 1) / _Alignof(uint64_t) * _Alignof(uint64_t),
	       "32 bits");
_Static_assert(_Alignof(SHA1_CTX) == _Alignof(uint64_t), "32 bits");
#endif

/* The functions, as the reference declares them. */
typedef void callback_fn(uint64_t, const uint32_t *, const uint32_t *, const uint32_t *,
			 const uint32_t *);
struct functions {
	void (*init)(SHA1_CTX *);
	void (*setters[4])(SHA1_CTX *, int);
	void (*set_callback)(SHA1_CTX *, callback_fn *);
	void (*update)(SHA1_CTX *, const char *, size_t);
	int (*final)(unsigned char[20], SHA1_CTX *);
};

extern const struct functions functions;
const struct functions functions = {
	SHA1DCInit,
	{SHA1DCSetSafeHash, SHA1DCSetUseUBC, SHA1DCSetUseDetectColl,
	 SHA1DCSetDetectReducedRoundCollision},
	SHA1DCSetCallback,
	SHA1DCUpdate,
	SHA1DCFinal,
};

/* The call as git writes it. */
int git_like(const char *data, size_t size);
int git_like(const char *data, size_t size)
{
	unsigned char digest[20];
	SHA1_CTX ctx;

	SHA1DCInit(&ctx);
	SHA1DCSetSafeHash(&ctx, 0);
	SHA1DCUpdate(&ctx, data, size);
	(void)own_size_t;
	(void)own_uint64;
	return SHA1DCFinal(digest, &ctx) || ctx.found_collision;
}
