/* SPDX-License-Identifier: MIT */
/*
 * blocksha_git.h - names of git's objects, and verification of git's files.
 *
 *     struct blocksha_git_options options = {0};
 *     if (blocksha_git_verify("pack-1234.pack", &options) == BLOCKSHA_OK)
 *             puts("every object is what its name says");
 *
 * libblocksha-git reads files; it takes them for hostile: no size or count in one is
 * believed before it is checked, and no file is mapped, so that one that is cut while it
 * is read is a finding and not a signal. Names of objects are computed with detection of
 * collision attacks, checksums at the ends of files without, as git does it.
 *
 * What blocksha.h says of sizes, digests and threads holds here too. Memory is allocated,
 * threads are started and ended within one call. All callbacks are called by the thread
 * that made the call.
 */
#ifndef BLOCKSHA_GIT_H
#define BLOCKSHA_GIT_H

#include <stddef.h>
#include <stdint.h>

#include "blocksha.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Formats and types ----------------------------------------------------- */

/* What names are digests of; the numbers are those that git's files have for them. */
enum blocksha_git_format {
	BLOCKSHA_GIT_INFER = 0, /* from the file */
	BLOCKSHA_GIT_SHA1 = 1,
	BLOCKSHA_GIT_SHA256 = 2,
};

#define BLOCKSHA_GIT_MAX_NAME_SIZE 32

/* The number of bytes in a name: 20 or 32. */
size_t blocksha_git_name_size(enum blocksha_git_format format);

/* Types of objects; the numbers are those in packs. */
enum blocksha_git_type {
	BLOCKSHA_GIT_NO_TYPE = 0,
	BLOCKSHA_GIT_COMMIT = 1,
	BLOCKSHA_GIT_TREE = 2,
	BLOCKSHA_GIT_BLOB = 3,
	BLOCKSHA_GIT_TAG = 4,
};

/* "commit", "tree", "blob", "tag"; NULL for all else. A static string. */
const char *blocksha_git_type_name(enum blocksha_git_type type);

/* The type with that name, which need not end there. */
enum blocksha_git_type blocksha_git_type_of(const char *name, size_t size);

/* --- Names of objects ------------------------------------------------------ */

/* The name of an object is the digest of its header and its body. The header is the type,
   a space, the size of the body in decimal, and a NUL. */
#define BLOCKSHA_GIT_HEADER_SIZE 32

/* Writes a header. Returns its size. */
size_t blocksha_git_header(char header[BLOCKSHA_GIT_HEADER_SIZE], enum blocksha_git_type type,
			   uint64_t size);

/* The name of an object whose body comes in pieces. */
struct blocksha_git_naming {
	enum blocksha_git_format format;
	union {
		blocksha_sha1dc_ctx sha1dc;
		blocksha_sha256_ctx sha256;
	} ctx;
};

/* Begins with a header of any kind; with none, if it comes as the first piece. */
void blocksha_git_naming_init(struct blocksha_git_naming *naming, enum blocksha_git_format format,
			      const void *header, size_t header_size);
void blocksha_git_naming_update(struct blocksha_git_naming *naming, const void *data, size_t size);

/* Returns BLOCKSHA_OK or BLOCKSHA_ATTACK, or what blocksha_sha1dc_final and
   blocksha_sha256_final return. */
int blocksha_git_naming_final(struct blocksha_git_naming *naming,
			      unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE],
			      struct blocksha_attack *attack);

/* Names of many objects side by side; each message is a header and a body. names has room
   for count names, which are written one after the other. attacks[i] is the verdict on
   object i, all 0 for SHA-256. Returns BLOCKSHA_ATTACK if there is any. */
int blocksha_git_name_many(enum blocksha_git_format format, const struct blocksha_message *messages,
			   size_t count, unsigned char *names, struct blocksha_attack *attacks);

/* The first thing in a tree, a commit or a tag that git fsck calls an error: a static phrase
   that begins with its name for it; NULL: none. Blobs have none. */
const char *blocksha_git_syntax_error(enum blocksha_git_format format, enum blocksha_git_type type,
				      const void *data, size_t size);

/* --- Findings -------------------------------------------------------------- */

/* What a finding says about the file. Only a note lets it pass. */
enum blocksha_git_kind {
	BLOCKSHA_GIT_NOTE,       /* worth knowing; nothing is wrong */
	BLOCKSHA_GIT_UNREADABLE, /* the system could not open or read it */
	BLOCKSHA_GIT_CHANGED,    /* vanished or was replaced while it was read: try again */
	BLOCKSHA_GIT_LIMIT,      /* not verified: beyond a limit in the options, or no memory */
	BLOCKSHA_GIT_MISSING,    /* needs an object or a file that is not there */
	BLOCKSHA_GIT_MALFORMED,  /* not what the format allows */
	BLOCKSHA_GIT_DAMAGED,    /* contents and checksum, or two places, disagree */
	BLOCKSHA_GIT_ATTACK,     /* an object carries a collision attack on SHA-1 */
	BLOCKSHA_GIT_KINDS,      /* how many there are */
};

/* "note", "unreadable", "changed", "limit", "missing", "malformed", "damaged", "attack". A
   static string. */
const char *blocksha_git_kind_name(enum blocksha_git_kind kind);

#define BLOCKSHA_GIT_NO_OFFSET UINT64_MAX

/* One finding. Strings and the name are valid until the callback returns. */
struct blocksha_git_finding {
	enum blocksha_git_kind kind;
	const char *file;
	uint64_t offset;                 /* in the file, in bytes; or BLOCKSHA_GIT_NO_OFFSET */
	enum blocksha_git_format format; /* of the object's name; BLOCKSHA_GIT_INFER: no name */
	const unsigned char *name;       /* of the object, or NULL */
	const char *text;                /* a phrase: "wrong checksum of the pack" */
	const char *expected, *found;    /* or NULL */
	struct blocksha_attack attack;   /* in the object; all 0 unless kind says so */
};

typedef void blocksha_git_report_fn(void *context, const struct blocksha_git_finding *finding);

/* --- Objects, as "git verify-pack -v" lists them ---------------------------- */

struct blocksha_git_object {
	const char *file;
	uint64_t offset; /* of its entry */
	enum blocksha_git_format format;
	const unsigned char *name; /* as computed */
	enum blocksha_git_type type;
	uint64_t size;             /* inflated: of the object, or of the delta */
	uint64_t packed_size;      /* of the entry with its header */
	uint32_t depth;            /* deltas between it and an object that is none; 0: no delta */
	const unsigned char *base; /* name of the object that the delta changes, or NULL */
};

typedef void blocksha_git_object_fn(void *context, const struct blocksha_git_object *object);

/* --- Options --------------------------------------------------------------- */

enum blocksha_git_tier {
	BLOCKSHA_GIT_DEFAULT, /* every object inflated, named and compared */
	BLOCKSHA_GIT_QUICK,   /* headers, structure and checksums of files only */
	BLOCKSHA_GIT_SYNTAX,  /* the default and the insides of trees, commits and tags */
};

/* All zero is what to begin with. */
struct blocksha_git_options {
	enum blocksha_git_format format; /* forced; BLOCKSHA_GIT_INFER: found in each file */
	enum blocksha_git_tier tier;
	unsigned jobs;                  /* threads; 0: as many as CPUs */
	unsigned max_findings;          /* a file; 0: 100. What is more is counted in one note */
	unsigned flags;                 /* BLOCKSHA_GIT_FLAG_* */
	uint64_t memory;                /* for objects that deltas need; 0: a quarter of RAM */
	uint64_t max_object_size;       /* larger objects are findings; 0: no limit */
	void *context;                  /* the first argument of the callbacks */
	blocksha_git_report_fn *report; /* or NULL; by file, in the order of offsets */
	blocksha_git_object_fn *object; /* or NULL; each object that has a name, in order */
	void (*progress)(void *context, uint64_t done, uint64_t total); /* bytes; or NULL */
};

/* A trailer of zeros, which git writes with index.skipHash, is damage. */
#define BLOCKSHA_GIT_FLAG_REQUIRE_CHECKSUM 1u

/* --- Verifying ------------------------------------------------------------- */

/* There were findings other than notes, but no attack. */
#define BLOCKSHA_GIT_BAD (-32)

/* Verifies one file, of whatever kind it is (its name, or else its first bytes tell), or
   all such files of a repository when path is its folder. A pack is verified together
   with its index, if that lies beside it. Returns BLOCKSHA_OK, BLOCKSHA_ATTACK (before
   the others) or BLOCKSHA_GIT_BAD. */
int blocksha_git_verify(const char *path, const struct blocksha_git_options *options);

#ifdef __cplusplus
}
#endif

#endif
