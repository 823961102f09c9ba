/* SPDX-License-Identifier: MIT */
/* version.c - what the library says of itself. */
#include "blocksha.h"
#include "common.h"

BLOCKSHA_EXPORT int blocksha_version(void)
{
	return BLOCKSHA_VERSION;
}

BLOCKSHA_EXPORT const char *blocksha_strerror(int error)
{
	switch (error) {
	case BLOCKSHA_OK:
		return "no error";
	case BLOCKSHA_ATTACK:
		return "message carries a collision attack on SHA-1";
	case BLOCKSHA_ERROR_ORDER:
		return "hash context used before init or after final";
	case BLOCKSHA_ERROR_LENGTH:
		return "message longer than 2^61-1 bytes";
	case BLOCKSHA_ERROR_FORMAT:
		return "malformed input";
	case BLOCKSHA_ERROR_KERNEL:
		return "kernel unknown or not usable on this machine";
	case BLOCKSHA_ERROR_SELF_TEST:
		return "kernel gives wrong results on this machine";
	default:
		return "unknown error";
	}
}
