/* SPDX-License-Identifier: MIT */
/* Made by: python3 tests/make_expected.py --huge - not to be edited. */
/* clang-format off */

#define EXPECTED_HUGE_PERIOD 1048576

static const struct expected_huge expected_huge[] = {
	{UINT64_C(536870911),
	 "255cf72da489024da4cad36ba71d6f266503ebef",
	 "e583c76e5dd1cc57accc7e557d0bc34c83136409a82f785b738040e90bacb8ca"},
	{UINT64_C(536870912),
	 "0de88345a7d399dde4d81da1ccd74521a46a9b44",
	 "0af0c0c406aecb2a71d337847dfc28938214a335f20f1503450363d59c66abec"},
	{UINT64_C(536870913),
	 "cf4c3ccaf20f350230fb67402b6150716b292dd4",
	 "43bdc7184055673930cbba5f9c7776b138d6d15d00049a56e55e219a9c07c850"},
	{UINT64_C(4294967360),
	 "e36e3ffefcfcc9221af9c5abf02153aee3d134df",
	 "955aee794559365cf7640e1e1c1154269e27ec940eb1c155a1bf933d354af44a"},
	{UINT64_C(5368709120),
	 "d98a4ad2c88e46382d0ebc2b590b8d8512684ed8",
	 "d3f99cbd4d1d6d20364c37256dc3ca4d2631b555b381b060d2cd33cad224036b"},
};
