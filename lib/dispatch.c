/* SPDX-License-Identifier: MIT */
/*
 * dispatch.c - which rows of the table this machine uses.
 *
 * What is remembered: the usable features and the best row of each algorithm,
 * found at the first use, and the rows that somebody forced. Each is one atomic
 * word, so threads need no lock: two that look for the same thing at the same
 * time find and write the same value, and a row is constant data.
 */
#include <stdatomic.h>
#include <string.h>

#include "blocksha.h"
#include "common.h"
#include "cpu.h"
#include "kernel.h"

typedef _Atomic(const struct blocksha_kernel *) atomic_row;

static atomic_row best[BLOCKSHA_ALGORITHMS];         /* of one message; NULL: not yet found */
static atomic_row forced[BLOCKSHA_ALGORITHMS];       /* of one message; NULL: none */
static atomic_row forced_lanes[BLOCKSHA_ALGORITHMS]; /* of many messages; NULL: none */

static const struct blocksha_kernel *get(atomic_row *row)
{
	return atomic_load_explicit(row, memory_order_relaxed);
}

static void set(atomic_row *row, const struct blocksha_kernel *value)
{
	atomic_store_explicit(row, value, memory_order_relaxed);
}

static uint32_t usable_features(void)
{
	static _Atomic uint32_t known; /* 0: not yet found */
	const uint32_t found_bit = UINT32_C(1) << 31;
	uint32_t features = atomic_load_explicit(&known, memory_order_relaxed);

	if (features == 0) {
		struct blocksha_cpu_raw raw;

		blocksha_cpu_read(&raw);
		features = blocksha_cpu_decide(&raw) | found_bit;
		atomic_store_explicit(&known, features, memory_order_relaxed);
	}
	return features;
}

static int is_compiled(const struct blocksha_kernel *row)
{
	return row->compress != NULL || row->compress_lanes != NULL || row->detect != NULL ||
	       row->detect_lanes != NULL;
}

int blocksha_kernel_usable(const struct blocksha_kernel *row)
{
	return is_compiled(row) && (row->needs & ~usable_features()) == 0;
}

const struct blocksha_kernel *blocksha_kernel_for(enum blocksha_algorithm algorithm)
{
	const struct blocksha_kernel *row = get(&forced[algorithm]);

	if (row != NULL)
		return row;
	row = get(&best[algorithm]);
	if (BLOCKSHA_LIKELY(row != NULL))
		return row;
	row = blocksha_kernels;
	while (row->algorithm != algorithm || row->lanes != 1 || !blocksha_kernel_usable(row))
		row++; /* portable rows are always usable */
	set(&best[algorithm], row);
	return row;
}

/* --- Many messages --------------------------------------------------------- */

void blocksha_plan_for(enum blocksha_algorithm algorithm, struct blocksha_plan *plan)
{
	const struct blocksha_kernel *lanes = get(&forced_lanes[algorithm]);

	plan->rows[0] = lanes != NULL ? lanes : blocksha_kernel_for(algorithm);
	plan->count = 1;
	if (lanes == NULL && get(&forced[algorithm]) == NULL)
		for (size_t i = 0; i < blocksha_kernel_count; i++) {
			const struct blocksha_kernel *row = &blocksha_kernels[i];

			if (row->algorithm == algorithm && row->lanes > 1 &&
			    plan->count < BLOCKSHA_PLAN_MAX && blocksha_kernel_usable(row))
				plan->rows[plan->count++] = row;
		}
	plan->width = plan->rows[0]->lanes;
	for (unsigned i = 1, best_row = 0; i < plan->count; i++)
		if (plan->rows[i]->cost * plan->rows[best_row]->lanes <
		    plan->rows[best_row]->cost * plan->rows[i]->lanes) {
			best_row = i;
			plan->width = plan->rows[i]->lanes;
		}
}

const struct blocksha_kernel *blocksha_plan_pick(const struct blocksha_plan *plan, unsigned active)
{
	const struct blocksha_kernel *pick = plan->rows[0];
	unsigned least = UINT32_MAX;

	for (unsigned i = 0; i < plan->count; i++) {
		const struct blocksha_kernel *row = plan->rows[i];
		unsigned cost = (active + row->lanes - 1) / row->lanes * row->cost;

		if (cost < least) {
			least = cost;
			pick = row;
		}
	}
	return pick;
}

/* Whether many messages of this algorithm would use the row for some count. */
static int is_picked(const struct blocksha_kernel *row)
{
	struct blocksha_plan plan;

	blocksha_plan_for(row->algorithm, &plan);
	for (unsigned active = 1; active <= plan.width; active++)
		if (blocksha_plan_pick(&plan, active) == row)
			return 1;
	return 0;
}

/* --- What the caller asks and forces --------------------------------------- */

const char *blocksha_algorithm_name(enum blocksha_algorithm algorithm)
{
	static const char *const names[BLOCKSHA_ALGORITHMS] = {"sha1", "sha256", "sha1+sha256",
							       "sha1dc", "sha1dc+sha256"};

	return names[algorithm];
}

BLOCKSHA_EXPORT int blocksha_get_kernel_info(size_t index, struct blocksha_kernel_info *info)
{
	const struct blocksha_kernel *row;

	if (index >= blocksha_kernel_count)
		return BLOCKSHA_ERROR_KERNEL;
	row = &blocksha_kernels[index];
	info->algorithm = blocksha_algorithm_name(row->algorithm);
	info->name = row->name;
	info->lanes = row->lanes;
	info->compiled = is_compiled(row);
	info->usable = blocksha_kernel_usable(row);
	info->selected =
		row->lanes == 1 ? row == blocksha_kernel_for(row->algorithm) : is_picked(row);
	info->missing = blocksha_cpu_feature_name(row->needs & ~usable_features());
	return BLOCKSHA_OK;
}

/* The usable row that "algorithm:name" of this length means, or NULL. */
static const struct blocksha_kernel *find(const char *text, size_t length)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];
		const char *algorithm = blocksha_algorithm_name(row->algorithm);
		size_t split = strlen(algorithm);

		if (length == split + 1 + strlen(row->name) && text[split] == ':' &&
		    memcmp(text, algorithm, split) == 0 &&
		    memcmp(text + split + 1, row->name, length - split - 1) == 0)
			return blocksha_kernel_usable(row) ? row : NULL;
	}
	return NULL;
}

BLOCKSHA_EXPORT int blocksha_force_kernels(const char *list)
{
	const struct blocksha_kernel *one[BLOCKSHA_ALGORITHMS] = {NULL};
	const struct blocksha_kernel *lanes[BLOCKSHA_ALGORITHMS] = {NULL};

	for (const char *item = list; item != NULL && *list != '\0';) {
		size_t length = strcspn(item, ",");
		const struct blocksha_kernel *row = find(item, length);

		if (row == NULL)
			return BLOCKSHA_ERROR_KERNEL;
		*(row->lanes == 1 ? &one[row->algorithm] : &lanes[row->algorithm]) = row;
		item = item[length] == ',' ? item + length + 1 : NULL;
	}
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		set(&forced[a], one[a]);
		set(&forced_lanes[a], lanes[a]);
	}
	return BLOCKSHA_OK;
}
