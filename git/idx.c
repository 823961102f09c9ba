/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "idx.h"

#include <stdlib.h>
#include <string.h>

#include "blocksha_byteorder.h"

#define FANOUT_SIZE 1024u /* 256 counts */
#define V2_HEADER_SIZE 8u /* magic and version */
#define LARGE UINT32_C(0x80000000)

static const unsigned char v2_magic[4] = {0xff, 't', 'O', 'c'};

static const unsigned char *fanout(const struct git_idx *idx)
{
	return idx->data + (idx->version == 2 ? V2_HEADER_SIZE : 0);
}

static uint32_t fanout_at(const struct git_idx *idx, unsigned i)
{
	return blocksha_get_be32(fanout(idx) + (size_t)4 * i);
}

const unsigned char *blocksha_git_idx_name(const struct git_idx *idx, uint32_t i)
{
	return idx->names + (size_t)i * idx->stride;
}

uint64_t blocksha_git_idx_offset(const struct git_idx *idx, uint32_t i)
{
	uint32_t offset;

	if (idx->version == 1)
		return blocksha_get_be32(blocksha_git_idx_name(idx, i) - 4);
	offset = blocksha_get_be32(idx->offsets + (size_t)4 * i);
	if ((offset & LARGE) == 0)
		return offset;
	offset &= ~LARGE;
	return offset < idx->large_count ? blocksha_get_be64(idx->large + (size_t)8 * offset)
					 : UINT64_MAX;
}

bool blocksha_git_idx_crc(const struct git_idx *idx, uint32_t i, uint32_t *crc)
{
	if (idx->version == 1)
		return false;
	*crc = blocksha_get_be32(idx->crcs + (size_t)4 * i);
	return true;
}

uint32_t blocksha_git_idx_find(const struct git_idx *idx, const unsigned char *name)
{
	uint32_t low = 0, high = idx->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = memcmp(blocksha_git_idx_name(idx, middle), name, idx->name_size);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return UINT32_MAX;
}

/* --- The order of offsets --------------------------------------------------------- */

/* One pass of a radix sort by 16 bits of the offset. */
static void sort_pass(const struct git_idx *idx, const uint32_t *from, uint32_t *to, unsigned shift,
		      uint32_t counts[0x10000])
{
	uint32_t sum = 0;

	memset(counts, 0, 0x10000 * sizeof(counts[0]));
	for (uint32_t i = 0; i < idx->count; i++)
		counts[blocksha_git_idx_offset(idx, from[i]) >> shift & 0xffff]++;
	for (unsigned digit = 0; digit < 0x10000; digit++) {
		uint32_t count = counts[digit];

		counts[digit] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < idx->count; i++)
		to[counts[blocksha_git_idx_offset(idx, from[i]) >> shift & 0xffff]++] = from[i];
}

uint32_t *blocksha_git_idx_by_offset(const struct git_idx *idx)
{
	uint32_t *order = malloc(((size_t)idx->count + 1) * sizeof(*order));
	uint32_t *other = malloc(((size_t)idx->count + 1) * sizeof(*order));
	uint32_t *counts = malloc(0x10000 * sizeof(*counts));
	uint64_t bits = 0;

	if (order == NULL || other == NULL || counts == NULL) {
		free(order);
		free(other);
		free(counts);
		return NULL;
	}
	for (uint32_t i = 0; i < idx->count; i++) {
		order[i] = i;
		bits |= blocksha_git_idx_offset(idx, i);
	}
	for (unsigned shift = 0; shift < 64 && bits >> shift != 0; shift += 16) {
		uint32_t *swap = order;

		sort_pass(idx, order, other, shift, counts);
		order = other;
		other = swap;
	}
	free(other);
	free(counts);
	return order;
}

/* --- Structure -------------------------------------------------------------------- */

/* The size of an index without large offsets. In 64 bits: count comes from the file. */
static uint64_t plain_size(const struct git_idx *idx, size_t name_size)
{
	uint64_t entry = name_size + (idx->version == 2 ? 8 : 4);
	uint64_t header = FANOUT_SIZE + (idx->version == 2 ? V2_HEADER_SIZE : 0);

	return header + idx->count * entry + 2 * (uint64_t)name_size;
}

/* Whether an index of this size can have names of that size. Not every object has a large offset:
   the first one begins at 12. */
static bool size_fits(const struct git_idx *idx, size_t name_size)
{
	uint64_t plain = plain_size(idx, name_size);
	uint64_t rest = idx->size - plain;

	if (idx->size < plain)
		return false;
	if (idx->version == 1 || rest == 0)
		return rest == 0;
	return rest % 8 == 0 && rest / 8 < idx->count;
}

static bool find_format(struct git_idx *idx, struct git_report *report)
{
	static const enum blocksha_git_format formats[] = {BLOCKSHA_GIT_SHA1, BLOCKSHA_GIT_SHA256};

	for (size_t i = 0; i < 2; i++) {
		if (report->options->format != BLOCKSHA_GIT_INFER &&
		    report->options->format != formats[i])
			continue;
		if (!size_fits(idx, blocksha_git_name_size(formats[i])))
			continue;
		idx->format = formats[i];
		idx->name_size = blocksha_git_name_size(formats[i]);
		report->format = idx->format;
		return true;
	}
	idx->format = report->options->format;
	blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
				    plain_size(idx, blocksha_git_name_size(idx->format)), idx->size,
				    "wrong size for the number of objects in it");
	return false;
}

static bool find_version(struct git_idx *idx, struct git_report *report)
{
	uint32_t version;

	idx->version = 1;
	if (idx->size >= V2_HEADER_SIZE && memcmp(idx->data, v2_magic, sizeof(v2_magic)) == 0) {
		version = blocksha_get_be32(idx->data + 4);
		if (version != 2) {
			blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 2,
						    version, "unknown version of a pack index");
			return false;
		}
		idx->version = 2;
	}
	if (idx->size < plain_size(idx, BLOCKSHA_SHA1_DIGEST_SIZE)) {
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
					    plain_size(idx, BLOCKSHA_SHA1_DIGEST_SIZE), idx->size,
					    "too short for a pack index");
		return false;
	}
	idx->count = fanout_at(idx, 255);
	return true;
}

static void find_tables(struct git_idx *idx)
{
	const unsigned char *at = fanout(idx) + FANOUT_SIZE;
	const size_t count = idx->count;

	if (idx->version == 1) {
		idx->names = at + 4;
		idx->stride = idx->name_size + 4;
	} else {
		idx->names = at;
		idx->stride = idx->name_size;
		idx->crcs = at + count * idx->name_size;
		idx->offsets = idx->crcs + count * 4;
		idx->large = idx->offsets + count * 4;
		idx->large_count = (idx->size - (size_t)plain_size(idx, idx->name_size)) / 8;
	}
	idx->pack_checksum = idx->data + idx->size - 2 * idx->name_size;
}

/* --- Contents --------------------------------------------------------------------- */

static uint64_t position(const struct git_idx *idx, const unsigned char *at)
{
	return (uint64_t)(at - idx->data);
}

static bool check_fanout(const struct git_idx *idx, struct git_report *report)
{
	bool good = true;

	for (unsigned i = 1; i < 256; i++) {
		uint32_t before = fanout_at(idx, i - 1), count = fanout_at(idx, i);

		if (count >= before)
			continue;
		good = false;
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED,
					GIT_AT(position(idx, fanout(idx)) + (uint64_t)4 * i), NULL,
					NULL, "fan-out table falls from %lu to %lu",
					(unsigned long)before, (unsigned long)count);
	}
	return good;
}

/* Whether a name stands in the part of the table that the fan-out has for its first byte. */
static bool in_its_bucket(const struct git_idx *idx, uint32_t i)
{
	unsigned first = blocksha_git_idx_name(idx, i)[0];

	return i < fanout_at(idx, first) && (first == 0 || i >= fanout_at(idx, first - 1));
}

static bool check_names(const struct git_idx *idx, struct git_report *report)
{
	bool good = true;

	for (uint32_t i = 0; i < idx->count; i++) {
		const unsigned char *name = blocksha_git_idx_name(idx, i);
		struct git_place place = {position(idx, name), name, false};
		int order = i == 0 ? -1 : memcmp(name - idx->stride, name, idx->name_size);

		if (order == 0)
			blocksha_git_report_add(report, BLOCKSHA_GIT_NOTE, place, NULL, NULL,
						"object is in the index twice");
		if (order <= 0 && in_its_bucket(idx, i))
			continue;
		good = false;
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, place, NULL, NULL,
					order > 0 ? "names are not in order"
						  : "name is not where the fan-out table has it");
	}
	return good;
}

static bool check_offsets(const struct git_idx *idx, struct git_report *report)
{
	bool good = true;

	for (uint32_t i = 0; i < idx->count; i++) {
		const unsigned char *at = idx->version == 1 ? blocksha_git_idx_name(idx, i) - 4
							    : idx->offsets + (size_t)4 * i;
		uint64_t offset = blocksha_git_idx_offset(idx, i);
		struct git_place place = {position(idx, at), blocksha_git_idx_name(idx, i), false};

		if (offset >= 12 && offset < UINT64_C(1) << 62)
			continue;
		good = false;
		if (offset == UINT64_MAX)
			blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, place, NULL, NULL,
						"no such entry in the table of large offsets");
		else
			blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, place, 12,
						    offset, "offset is outside of any pack");
	}
	return good;
}

static bool check_checksum(const struct git_idx *idx, struct git_report *report)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];
	const unsigned char *trailer = idx->pack_checksum + idx->name_size;

	blocksha_git_checksum(idx->format, idx->data, (size_t)(trailer - idx->data), digest);
	if (memcmp(digest, trailer, idx->name_size) == 0)
		return true;
	blocksha_git_report_digests(report, BLOCKSHA_GIT_DAMAGED,
				    GIT_WHOLE_AT(position(idx, trailer)), digest, trailer,
				    idx->name_size, "wrong checksum of the index");
	return false;
}

bool blocksha_git_idx_load(struct git_idx *idx, const struct git_file *file,
			   struct git_report *report)
{
	bool good;

	memset(idx, 0, sizeof(*idx));
	idx->data = blocksha_git_file_load(file, SIZE_MAX, report);
	if (idx->data == NULL)
		return false;
	idx->size = (size_t)file->size;
	if (!find_version(idx, report) || !find_format(idx, report))
		return false;
	find_tables(idx);
	good = check_fanout(idx, report);
	good = check_names(idx, report) && good;
	good = check_offsets(idx, report) && good;
	return check_checksum(idx, report) && good;
}

void blocksha_git_idx_free(struct git_idx *idx)
{
	free(idx->data);
	memset(idx, 0, sizeof(*idx));
}

void blocksha_git_idx_verify(struct git_file *file, struct git_report *report)
{
	struct git_idx idx;

	blocksha_git_idx_load(&idx, file, report);
	blocksha_git_idx_free(&idx);
}
