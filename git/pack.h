/* SPDX-License-Identifier: MIT */
/*
 * pack.h - a pack that is being verified (gitformat-pack).
 *
 * First all entries are found (pack_entries.c): where they begin, from the index or by inflating
 * one after the other, and what each one is. Then threads inflate them and compute their names,
 * each object once, deltas after what they are based on (pack_resolve.c). Then names, offsets and
 * CRCs are compared with the index (pack_compare.c).
 */
#ifndef BLOCKSHA_GIT_PACK_H
#define BLOCKSHA_GIT_PACK_H

#include <stdatomic.h>
#include <string.h>

#include "git_hash.h"
#include "idx.h"

#define GIT_PACK_HEADER_SIZE 12u

/* Types of entries besides those of objects. */
#define GIT_ENTRY_BAD 0u
#define GIT_ENTRY_OFS_DELTA 6u
#define GIT_ENTRY_REF_DELTA 7u

#define GIT_NO_ENTRY UINT32_MAX

struct git_entry {
	uint64_t offset;
	uint64_t size;       /* of what it inflates to, as it declares */
	uint32_t parent;     /* the entry that a delta is based on, as far as it is known */
	uint32_t depth;      /* deltas between it and an object that is none */
	uint32_t crc;        /* once it was read */
	uint8_t type;        /* as in the pack, or GIT_ENTRY_BAD */
	uint8_t object_type; /* of the object; deltas take it over */
	uint8_t header_size; /* what stands before the zlib stream */
	atomic_uchar flags;  /* GIT_ENTRY_* below */
};

#define GIT_ENTRY_NAMED 1u        /* its name was computed */
#define GIT_ENTRY_FAILED 2u       /* a finding says why it was not */
#define GIT_ENTRY_HAS_CRC 4u      /* was read as a whole */
#define GIT_ENTRY_MISSING 8u      /* failed for want of a base that the pack does not have */
#define GIT_ENTRY_CONTRADICTS 16u /* is not what or where the index has it, or is damaged */
#define GIT_ENTRY_LIMIT 32u       /* failed because of a limit */

/* The deltas that name the same base. */
struct git_base_name {
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	uint32_t entry;
};

struct git_pack {
	const struct git_file *file;
	struct git_report *report;
	const struct blocksha_git_options *options;
	enum blocksha_git_format format;
	size_t name_size;
	bool promisor;                                      /* bases may be missing */
	uint64_t end;                                       /* where its checksum begins */
	unsigned char trailer[BLOCKSHA_GIT_MAX_NAME_SIZE];  /* as it stands there */
	unsigned char checksum[BLOCKSHA_GIT_MAX_NAME_SIZE]; /* as it was computed */
	bool checksum_is_known;
	uint32_t declared; /* the number of objects in its header */

	/* The index, NULL when there is none; and its positions by offset. */
	const struct git_idx *idx;
	const uint32_t *idx_order;

	/* The entries, in the order of their offsets. */
	bool entries_from_idx;
	bool complete; /* they are all that there are */
	uint32_t count;
	struct git_entry *entries;
	uint64_t entries_end;
	unsigned char *names; /* computed */

	/* The deltas of each entry: OFS deltas from child_begin[entry] to before
	   child_begin[entry + 1]; REF deltas by the name of their base. */
	uint32_t *child_begin, *children;
	struct git_base_name *base_names; /* sorted */
	uint32_t *ref_children;           /* their entries, in the same order */
	uint32_t base_name_count;
};

static inline unsigned char *git_pack_name(const struct git_pack *pack, uint32_t entry)
{
	return pack->names + (size_t)entry * pack->name_size;
}

static inline uint64_t git_pack_entry_end(const struct git_pack *pack, uint32_t entry)
{
	return entry + 1 < pack->count ? pack->entries[entry + 1].offset : pack->entries_end;
}

static inline bool git_entry_is_delta(const struct git_entry *entry)
{
	return entry->type == GIT_ENTRY_OFS_DELTA || entry->type == GIT_ENTRY_REF_DELTA;
}

static inline bool git_pack_trailer_is_good(const struct git_pack *pack)
{
	return memcmp(pack->trailer, pack->checksum, pack->name_size) == 0;
}

/* The place of an entry in findings: with its name if the index tells it. */
struct git_place blocksha_git_pack_place(const struct git_pack *pack, uint32_t entry);

/* Finds the entries where the index has them. False: no memory, or unreadable. */
bool blocksha_git_pack_entries_by_idx(struct git_pack *pack);

/* Finds them by inflating. Not all when complete is false afterwards. */
bool blocksha_git_pack_entries_by_scan(struct git_pack *pack);

/* Finds out which deltas belong to which entry. */
bool blocksha_git_pack_find_children(struct git_pack *pack);
void blocksha_git_pack_forget_entries(struct git_pack *pack); /* frees nothing */
void blocksha_git_pack_free_entries(struct git_pack *pack);

/* Computes the checksum of the pack, unless it is known. */
bool blocksha_git_pack_compute_checksum(struct git_pack *pack);

/* Inflates and names all objects, and checks the trailer beside. */
bool blocksha_git_pack_resolve(struct git_pack *pack);

/* Findings for all entries that have no name and of which nobody said why. */
void blocksha_git_pack_report_unresolved(struct git_pack *pack);

/* Compares the entries with the index. Findings go to the one of the two that is to blame. */
void blocksha_git_pack_compare(struct git_pack *pack, struct git_report *idx_report);

/* Notes objects that are there twice. */
bool blocksha_git_pack_note_duplicates(struct git_pack *pack);

/* Gives all objects to the callback of the options. */
void blocksha_git_pack_list(const struct git_pack *pack);

/* Verifies a pack, and its index unless that is NULL. */
void blocksha_git_pack_verify(struct git_file *file, struct git_report *report,
			      struct git_file *idx_file, struct git_report *idx_report,
			      bool promisor);

#endif
