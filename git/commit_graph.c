/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "commit_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocksha_byteorder.h"

#define HEADER_SIZE 8u
#define DATA_EXTRA 16u /* of a row of commit data behind the name of the tree */

#define PARENT_NONE UINT32_C(0x70000000)
#define PARENT_LIST UINT32_C(0x80000000) /* the second parent is a place in the list of edges */
#define EDGE_LAST UINT32_C(0x80000000)
#define LARGE_DATE UINT32_C(0x80000000) /* of generation data: a place in the overflow list */
#define EDGES_UNKNOWN UINT64_MAX
#define MAX_LEVEL UINT32_C(0x3fffffff)

enum {
	FANOUT,
	NAMES,
	DATA,
	GENERATIONS,
	OVERFLOWS,
	EDGES,
	BLOOM_INDEX,
	BLOOM_DATA,
	BASE,
	CHUNKS,
};

static const struct git_chunk known[CHUNKS] = {
	[FANOUT] = {.id = "OIDF", .required = true},
	[NAMES] = {.id = "OIDL", .required = true},
	[DATA] = {.id = "CDAT", .required = true},
	[GENERATIONS] = {.id = "GDA2"},
	[OVERFLOWS] = {.id = "GDO2"},
	[EDGES] = {.id = "EDGE"},
	[BLOOM_INDEX] = {.id = "BIDX"},
	[BLOOM_DATA] = {.id = "BDAT"},
	[BASE] = {.id = "BASE"},
};

/* One file of a chain. */
struct layer {
	struct git_chunk_file file;
	struct git_chunk chunks[CHUNKS];
	uint32_t first; /* commits in the files before */
	bool usable;
};

struct graph {
	struct layer *layers; /* the first file of the chain first; the last is the one at hand */
	unsigned count;
	struct layer *own;
};

static void wrong(const struct layer *layer, uint64_t offset, const char *text)
{
	blocksha_git_report_add(layer->file.report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL,
				NULL, "%s", text);
}

/* --- Commits -------------------------------------------------------------------------- */

struct commit {
	uint32_t parent, second; /* as they stand there */
	uint32_t level;
	uint64_t date;
};

static const unsigned char *row(const struct layer *layer, uint32_t i)
{
	return layer->chunks[DATA].data + (layer->file.name_size + DATA_EXTRA) * i;
}

static struct commit read_commit(const struct layer *layer, uint32_t i)
{
	const unsigned char *at = row(layer, i) + layer->file.name_size;
	uint32_t packed = blocksha_get_be32(at + 8);

	return (struct commit){
		.parent = blocksha_get_be32(at),
		.second = blocksha_get_be32(at + 4),
		.level = packed >> 2,
		.date = (uint64_t)(packed & 3) << 32 | blocksha_get_be32(at + 12),
	};
}

/* The commit at a position that counts through all files, in *layer and *at. */
static void locate(const struct graph *graph, uint32_t position, const struct layer **layer,
		   uint32_t *at)
{
	unsigned n = graph->count - 1;

	while (position < graph->layers[n].first)
		n--;
	*layer = &graph->layers[n];
	*at = position - graph->layers[n].first;
}

/* The date from which generation 2 counts, or UINT64_MAX when it is not known. */
static uint64_t corrected_date(const struct layer *layer, uint32_t i)
{
	const struct git_chunk *overflows = &layer->chunks[OVERFLOWS];
	uint64_t date = read_commit(layer, i).date;
	uint32_t offset;

	if (layer->chunks[GENERATIONS].data == NULL)
		return UINT64_MAX;
	offset = blocksha_get_be32(layer->chunks[GENERATIONS].data + (size_t)4 * i);
	if ((offset & LARGE_DATE) == 0)
		return date + offset;
	offset &= ~LARGE_DATE;
	if (offset >= overflows->size / 8)
		return UINT64_MAX;
	return date + blocksha_get_be64(overflows->data + (size_t)8 * offset);
}

/* --- One commit and its parents -------------------------------------------------------- */

/* What the parents of a commit ask for: the highest level, the latest corrected date. */
struct demands {
	uint32_t level;
	uint64_t date;
	bool levels_known, dates_known;
};

static uint32_t commit_count(const struct graph *graph)
{
	return graph->own->first + graph->own->file.count;
}

static void add_parent(const struct graph *graph, uint32_t position, struct demands *demands)
{
	const struct layer *layer;
	uint32_t at, level;
	uint64_t date;

	locate(graph, position, &layer, &at);
	level = read_commit(layer, at).level;
	date = corrected_date(layer, at);
	demands->levels_known = demands->levels_known && level != 0;
	demands->level = level > demands->level ? level : demands->level;
	demands->dates_known = demands->dates_known && date != UINT64_MAX;
	if (demands->dates_known && date > demands->date)
		demands->date = date;
}

static bool check_parent(const struct graph *graph, uint32_t position, struct git_place place,
			 struct demands *demands)
{
	if (position >= commit_count(graph)) {
		blocksha_git_report_numbers(graph->own->file.report, BLOCKSHA_GIT_MALFORMED, place,
					    commit_count(graph), position,
					    "parent that is not in the graph");
		return false;
	}
	add_parent(graph, position, demands);
	return true;
}

/* Parents from the second on, when there are more than two. The lists of all commits lie one behind
   the other: *next is where this one should begin, and where the next one should; after a wrong one
   it is not known. */
static bool check_edges(const struct graph *graph, uint32_t i, uint32_t at, uint64_t *next,
			struct demands *demands)
{
	const struct git_chunk *edges = &graph->own->chunks[EDGES];
	struct git_place place =
		blocksha_git_chunks_place(&graph->own->file, row(graph->own, i), i);
	bool good = true;
	uint32_t edge;

	if (*next == EDGES_UNKNOWN) {
		demands->levels_known = demands->dates_known = false;
		return true;
	}
	if (at != *next) {
		*next = EDGES_UNKNOWN;
		blocksha_git_report_numbers(graph->own->file.report, BLOCKSHA_GIT_MALFORMED, place,
					    *next, at, "wrong place in the list of edges");
		return false;
	}
	do {
		if (*next >= edges->size / 4) {
			*next = EDGES_UNKNOWN;
			blocksha_git_report_add(graph->own->file.report, BLOCKSHA_GIT_MALFORMED,
						place, NULL, NULL, "parents without an end");
			return false;
		}
		edge = blocksha_get_be32(edges->data + 4 * *next);
		++*next;
		good = check_parent(graph, edge & ~EDGE_LAST, place, demands) && good;
	} while ((edge & EDGE_LAST) == 0);
	return good;
}

static bool check_parents(const struct graph *graph, uint32_t i, uint64_t *next_edge,
			  struct demands *demands)
{
	struct commit commit = read_commit(graph->own, i);
	struct git_place place =
		blocksha_git_chunks_place(&graph->own->file, row(graph->own, i), i);

	if (commit.parent == PARENT_NONE && commit.second != PARENT_NONE) {
		blocksha_git_report_add(graph->own->file.report, BLOCKSHA_GIT_MALFORMED, place,
					NULL, NULL, "second parent without a first");
		return false;
	}
	if (commit.parent != PARENT_NONE && !check_parent(graph, commit.parent, place, demands))
		return false;
	if (commit.second == PARENT_NONE)
		return true;
	if ((commit.second & PARENT_LIST) == 0)
		return check_parent(graph, commit.second, place, demands);
	return check_edges(graph, i, commit.second & ~PARENT_LIST, next_edge, demands);
}

/* The level is one more than the highest of the parents, up to the largest that there is; 0 is what
   old versions of git wrote. A date that is corrected is later than those of the parents. */
static void check_generation(const struct graph *graph, uint32_t i, const struct demands *demands)
{
	struct git_report *report = graph->own->file.report;
	uint32_t level = read_commit(graph->own, i).level;
	uint32_t wanted = demands->level < MAX_LEVEL ? demands->level + 1 : MAX_LEVEL;
	uint64_t date = corrected_date(graph->own, i);
	struct git_place place =
		blocksha_git_chunks_place(&graph->own->file, row(graph->own, i), i);

	if (level != 0 && demands->levels_known && level != wanted)
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_DAMAGED, place, wanted, level,
					    "wrong generation for its parents");
	if (graph->own->chunks[GENERATIONS].data == NULL)
		return;
	if (date == UINT64_MAX)
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, place, NULL, NULL,
					"generation that is not in the list of large ones");
	else if (demands->dates_known && demands->date != 0 && date <= demands->date)
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_DAMAGED, place, demands->date + 1,
					    date,
					    "corrected date is not after those of its parents");
}

static void check_commits(const struct graph *graph)
{
	const struct layer *own = graph->own;
	uint64_t next_edge = 0;
	bool zero = false, other = false;

	for (uint32_t i = 0; i < own->file.count; i++) {
		struct demands demands = {.levels_known = true, .dates_known = true};
		uint32_t level = read_commit(own, i).level;

		zero = zero || level == 0;
		other = other || level != 0;
		/* Lists of edges lie in the order of the commits: after a wrong one nothing is
		 * known. */
		if (!check_parents(graph, i, &next_edge, &demands))
			next_edge = UINT64_MAX;
		else
			check_generation(graph, i, &demands);
		if (next_edge == UINT64_MAX)
			return;
	}
	if (zero && other)
		wrong(own, own->chunks[DATA].offset,
		      "some commits have a generation, some have not");
	if (next_edge != EDGES_UNKNOWN && next_edge != own->chunks[EDGES].size / 4)
		blocksha_git_report_numbers(
			own->file.report, BLOCKSHA_GIT_MALFORMED, GIT_AT(own->chunks[EDGES].offset),
			next_edge, own->chunks[EDGES].size / 4, "edges that belong to no commit");
}

/* --- Bloom filters ----------------------------------------------------------------------- */

/* For each commit where its filter ends, and the filters behind a header of three numbers. */
static void check_bloom(const struct layer *layer)
{
	const struct git_chunk *index = &layer->chunks[BLOOM_INDEX];
	const struct git_chunk *data = &layer->chunks[BLOOM_DATA];
	uint32_t before = 0;

	if (index->data == NULL && data->data == NULL)
		return;
	if (index->data == NULL || data->data == NULL || data->size < 12) {
		wrong(layer, data->offset, "Bloom filters without their index or their settings");
		return;
	}
	if (!blocksha_git_chunk_has_size(&layer->file, index, (uint64_t)4 * layer->file.count))
		return;
	if (blocksha_get_be32(data->data) != 1 && blocksha_get_be32(data->data) != 2)
		wrong(layer, data->offset, "unknown version of Bloom filters");
	for (uint32_t i = 0; i < layer->file.count; i++) {
		const unsigned char *at = index->data + (size_t)4 * i;
		uint32_t end = blocksha_get_be32(at);

		if (end < before || end > data->size - 12) {
			blocksha_git_report_add(layer->file.report, BLOCKSHA_GIT_MALFORMED,
						blocksha_git_chunks_place(&layer->file, at, i),
						NULL, NULL, "Bloom filter ends where it cannot");
			return;
		}
		before = end;
	}
	if (before != data->size - 12)
		wrong(layer, data->offset, "Bloom filters are followed by something else");
}

/* --- One file ------------------------------------------------------------------------------ */

static bool check_sizes(struct layer *layer)
{
	struct git_chunk_file *file = &layer->file;
	struct git_chunk *chunks = layer->chunks;

	if (!blocksha_git_chunks_names(file, &chunks[FANOUT], &chunks[NAMES]) ||
	    !blocksha_git_chunk_has_size(file, &chunks[DATA],
					 (uint64_t)(file->name_size + DATA_EXTRA) * file->count))
		return false;
	if (chunks[GENERATIONS].data != NULL &&
	    !blocksha_git_chunk_has_size(file, &chunks[GENERATIONS], (uint64_t)4 * file->count))
		return false;
	if (chunks[OVERFLOWS].size % 8 != 0 || chunks[EDGES].size % 4 != 0) {
		wrong(layer, chunks[OVERFLOWS].offset, "wrong size of chunk GDO2 or EDGE");
		return false;
	}
	return true;
}

static bool load_layer(struct layer *layer, const struct git_file *file, struct git_report *report)
{
	memset(layer, 0, sizeof(*layer));
	memcpy(layer->chunks, known, sizeof(known));
	if (!blocksha_git_chunks_load(&layer->file, file, report, "CGPH", "commit-graph"))
		return false;
	layer->usable = blocksha_git_chunks_find(&layer->file, HEADER_SIZE, layer->file.data[6],
						 layer->chunks, CHUNKS) &&
			check_sizes(layer);
	return layer->usable;
}

static unsigned base_count(const struct layer *layer)
{
	return layer->file.data[7];
}

/* --- The files before ------------------------------------------------------------------------ */

/* "graph-HEX.graph" beside path; NULL: no memory. */
static char *layer_path(const char *path, const unsigned char *name, size_t size)
{
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];
	char file[sizeof(hex) + 16];

	blocksha_hex_encode(hex, name, size);
	snprintf(file, sizeof(file), "graph-%s.graph", hex);
	return blocksha_git_beside(path, file);
}

/* Whether a layer stands on those n files and no others. */
static bool stands_on(const struct layer *layer, const unsigned char *names, unsigned n)
{
	const struct git_chunk *base = &layer->chunks[BASE];
	size_t size = n * layer->file.name_size;

	return base_count(layer) == n && base->size == size &&
	       (n == 0 || memcmp(base->data, names, size) == 0);
}

/* Loads the layer of that name, number n of those in names. What is wrong with it is told at place;
   its own findings are told when it is verified itself. */
static bool load_named(struct layer *layer, const char *path, const unsigned char *names,
		       unsigned n, size_t name_size, struct git_place place,
		       struct git_report *report)
{
	const struct blocksha_git_options silent = {.max_findings = 1};
	struct git_report own_report;
	const char *error = NULL;
	struct git_file file;

	if (access(path, F_OK) != 0) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_MISSING, place, NULL, NULL,
					"is not there: %s", path);
		return false;
	}
	if (!blocksha_git_file_open(&file, path, false, report))
		return false;
	blocksha_git_report_begin(&own_report, &silent, path);
	if (!load_layer(layer, &file, &own_report) || !blocksha_git_report_is_good(&own_report))
		error = "is not good itself";
	else if (layer->file.name_size != name_size ||
		 memcmp(layer->file.data + layer->file.end, names + n * name_size, name_size) != 0)
		error = "has another checksum than its name says";
	else if (!stands_on(layer, names, n))
		error = "stands on other files";
	(void)blocksha_git_report_end(&own_report);
	layer->file.report = report;
	if (error != NULL)
		blocksha_git_report_add(report, BLOCKSHA_GIT_DAMAGED, place, NULL, NULL, "%s %s",
					path, error);
	blocksha_git_file_close(&file, report);
	return error == NULL;
}

/* Loads the files that this one stands on; commits are counted through all. */
static bool load_bases(struct graph *graph)
{
	struct layer *own = graph->own;
	const struct git_chunk *base = &own->chunks[BASE];
	unsigned count = graph->count - 1;
	uint64_t first = 0;

	if (count > 0 &&
	    !blocksha_git_chunk_has_size(&own->file, base, (uint64_t)count * own->file.name_size)) {
		if (base->data == NULL)
			wrong(own, 7, "stands on other files, but has no chunk BASE");
		return false;
	}
	for (unsigned n = 0; n < count; n++) {
		const size_t name_size = own->file.name_size;
		const unsigned char *name = base->data + n * name_size;
		struct git_place place = GIT_AT((uint64_t)(name - own->file.data));
		char *path = layer_path(own->file.path, name, name_size);
		bool good = path != NULL && load_named(&graph->layers[n], path, base->data, n,
						       name_size, place, own->file.report);

		free(path);
		if (!good)
			return false;
		graph->layers[n].first = (uint32_t)first;
		first += graph->layers[n].file.count;
		if (first + own->file.count >= PARENT_NONE) {
			wrong(own, base->offset, "more commits than a graph can have");
			return false;
		}
	}
	own->first = (uint32_t)first;
	return true;
}

static void verify_layers(struct layer *layers, unsigned count)
{
	struct graph graph = {.layers = layers, .count = count, .own = &layers[count - 1]};

	check_bloom(graph.own);
	if (load_bases(&graph))
		check_commits(&graph);
	for (unsigned n = 0; n + 1 < count; n++)
		blocksha_git_chunks_free(&layers[n].file);
}

void blocksha_git_commit_graph_verify(struct git_file *file, struct git_report *report)
{
	struct layer own, *layers;
	unsigned count;

	if (load_layer(&own, file, report)) {
		count = base_count(&own) + 1;
		layers = calloc(count, sizeof(*layers));
		if (layers != NULL) {
			layers[count - 1] = own;
			verify_layers(layers, count);
		} else {
			blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
						"no memory");
		}
		free(layers);
	}
	if (own.file.end != 0)
		blocksha_git_chunks_trailer(&own.file, "commit-graph");
	blocksha_git_chunks_free(&own.file);
}

/* --- The chain ------------------------------------------------------------------------------- */

/* A line is the name of a file: its checksum. Each stands on all before it. */
static void check_line(struct git_report *report, const char *path, const unsigned char *names,
		       unsigned n, size_t name_size)
{
	struct git_place place = GIT_AT((uint64_t)n * (2 * name_size + 1));
	char *named = layer_path(path, names + n * name_size, name_size);
	struct layer layer = {.usable = false};

	if (named != NULL)
		(void)load_named(&layer, named, names, n, name_size, place, report);
	else
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, place, NULL, NULL, "no memory");
	blocksha_git_chunks_free(&layer.file);
	free(named);
}

/* Lines of one length, each with the digits of a name; the file says by their length which hash it
   is of. */
static bool read_names(const unsigned char *text, size_t size, size_t name_size,
		       unsigned char *names)
{
	const size_t line = 2 * name_size + 1;

	for (size_t at = 0; at < size; at += line)
		if (text[at + line - 1] != '\n' ||
		    blocksha_hex_decode(names + at / line * name_size, (const char *)text + at,
					name_size) != BLOCKSHA_OK)
			return false;
	return true;
}

static size_t line_name_size(const unsigned char *text, size_t size)
{
	const unsigned char *end = size > 0 ? memchr(text, '\n', size) : NULL;
	size_t length = end != NULL ? (size_t)(end - text) : 0;

	if (length != 2 * BLOCKSHA_SHA1_DIGEST_SIZE && length != 2 * BLOCKSHA_SHA256_DIGEST_SIZE)
		return 0;
	return size % (length + 1) == 0 ? length / 2 : 0;
}

static void verify_chain(const struct git_file *file, struct git_report *report,
			 const unsigned char *text)
{
	size_t size = (size_t)file->size;
	size_t name_size = line_name_size(text, size);
	unsigned char *names = malloc(size + 1);
	size_t count = name_size != 0 ? size / (2 * name_size + 1) : 0;

	if (names != NULL && name_size != 0 && count <= 256 &&
	    read_names(text, size, name_size, names)) {
		report->format = name_size == BLOCKSHA_SHA1_DIGEST_SIZE ? BLOCKSHA_GIT_SHA1
									: BLOCKSHA_GIT_SHA256;
		for (unsigned n = 0; n < count; n++)
			check_line(report, file->path, names, n, name_size);
	} else {
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(0), NULL, NULL,
					"not a list of names of commit-graphs");
	}
	free(names);
}

void blocksha_git_commit_graph_chain_verify(struct git_file *file, struct git_report *report)
{
	const size_t limit = 256 * (2 * (size_t)BLOCKSHA_GIT_MAX_NAME_SIZE + 1);
	unsigned char *text;

	if (file->size == 0 || file->size > limit) {
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, limit,
					    file->size, "wrong size for a chain of commit-graphs");
		return;
	}
	text = blocksha_git_file_load(file, limit, report);
	if (text != NULL)
		verify_chain(file, report, text);
	free(text);
}
