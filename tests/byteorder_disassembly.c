/* SPDX-License-Identifier: MIT */
/*
 * byteorder_disassembly.c - every function of blocksha_byteorder.h as a function
 * of its own, for byteorder_disassembly.sh to look at the machine code.
 */
#include "blocksha_byteorder.h"

#define EXTERNAL(order, bits)                                           \
	uint##bits##_t get_##order##bits(const unsigned char *p);       \
	void put_##order##bits(unsigned char *p, uint##bits##_t value); \
                                                                        \
	uint##bits##_t get_##order##bits(const unsigned char *p)        \
	{                                                               \
		return blocksha_get_##order##bits(p);                   \
	}                                                               \
	void put_##order##bits(unsigned char *p, uint##bits##_t value)  \
	{                                                               \
		blocksha_put_##order##bits(p, value);                   \
	}

EXTERNAL(be, 16)
EXTERNAL(le, 16)
EXTERNAL(be, 32)
EXTERNAL(le, 32)
EXTERNAL(be, 64)
EXTERNAL(le, 64)
