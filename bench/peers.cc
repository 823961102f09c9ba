/* SPDX-License-Identifier: MIT */
/*
 * peers.cc - the libraries to compare with: one table, and a few lines for each.
 *
 * CMakeLists.txt defines HAVE_* for those that it found. Each function hashes as the
 * library's own manual says for whole messages; what can be prepared once is.
 */
#include "bench.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>

#if defined(HAVE_OPENSSL)
#include <openssl/crypto.h>
#include <openssl/evp.h>

/* Fetched once: EVP_sha1() would be fetched again by each EVP_Digest. */
static void openssl_hash(const char *name, const EVP_MD *&md, const unsigned char *data,
			 size_t size, unsigned char *digest)
{
	if (!md)
		md = EVP_MD_fetch(nullptr, name, nullptr);
	EVP_Digest(data, size, digest, nullptr, md, nullptr);
}

static void openssl_sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	static const EVP_MD *md;

	openssl_hash("SHA1", md, data, size, digest);
}

static void openssl_sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	static const EVP_MD *md;

	openssl_hash("SHA256", md, data, size, digest);
}

/* One at a time. */
static void openssl_many(hash_fn *hash, size_t digest_size, const Messages &messages,
			 unsigned char *digests)
{
	for (size_t i = 0; i < messages.size(); i++)
		hash((const unsigned char *)messages[i].pieces->data, messages[i].pieces->size,
		     digests + i * digest_size);
}

static void openssl_sha1_many(const Messages &messages, unsigned char *digests)
{
	openssl_many(openssl_sha1, BLOCKSHA_SHA1_DIGEST_SIZE, messages, digests);
}

static void openssl_sha256_many(const Messages &messages, unsigned char *digests)
{
	openssl_many(openssl_sha256, BLOCKSHA_SHA256_DIGEST_SIZE, messages, digests);
}

static std::string openssl_version()
{
	return OpenSSL_version(OPENSSL_VERSION);
}
#endif

#if defined(HAVE_LIBGCRYPT)
#include <gcrypt.h>

static void libgcrypt_sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	gcry_md_hash_buffer(GCRY_MD_SHA1, digest, data, size);
}

static void libgcrypt_sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	gcry_md_hash_buffer(GCRY_MD_SHA256, digest, data, size);
}

static std::string libgcrypt_version()
{
	return std::string("libgcrypt ") + gcry_check_version(nullptr);
}
#endif

#if defined(HAVE_NETTLE)
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

static void nettle_sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	sha1_ctx ctx;

	sha1_init(&ctx);
	sha1_update(&ctx, size, data);
	sha1_digest(&ctx, SHA1_DIGEST_SIZE, digest);
}

static void nettle_sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, size, data);
	sha256_digest(&ctx, SHA256_DIGEST_SIZE, digest);
}

static std::string nettle_version()
{
	return "nettle " + std::to_string(nettle_version_major()) + "." +
	       std::to_string(nettle_version_minor());
}
#endif

#if defined(HAVE_BOTAN)
#include <botan/hash.h>
#include <botan/version.h>

static void botan_hash(Botan::HashFunction &hash, const unsigned char *data, size_t size,
		       unsigned char *digest)
{
	hash.update(data, size);
	hash.final(digest);
}

static void botan_sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	static const auto hash = Botan::HashFunction::create_or_throw("SHA-1");

	botan_hash(*hash, data, size, digest);
}

static void botan_sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	static const auto hash = Botan::HashFunction::create_or_throw("SHA-256");

	botan_hash(*hash, data, size, digest);
}

static std::string botan_version()
{
	return "Botan " + Botan::short_version_string();
}
#endif

#if defined(HAVE_MBEDTLS)
#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>
#include <mbedtls/version.h>

#if MBEDTLS_VERSION_MAJOR < 3
#define mbedtls_sha1 mbedtls_sha1_ret
#define mbedtls_sha256 mbedtls_sha256_ret
#endif

static void mbedtls_sha1_hash(const unsigned char *data, size_t size, unsigned char *digest)
{
	mbedtls_sha1(data, size, digest);
}

static void mbedtls_sha256_hash(const unsigned char *data, size_t size, unsigned char *digest)
{
	mbedtls_sha256(data, size, digest, 0);
}

static std::string mbedtls_version()
{
	return "Mbed TLS " MBEDTLS_VERSION_STRING;
}
#endif

#if defined(HAVE_WOLFSSL)
#include <wolfssl/options.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>

static void wolfssl_sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	wc_Sha sha;

	wc_InitSha(&sha);
	wc_ShaUpdate(&sha, data, (word32)size);
	wc_ShaFinal(&sha, digest);
}

static void wolfssl_sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	wc_Sha256 sha;

	wc_InitSha256(&sha);
	wc_Sha256Update(&sha, data, (word32)size);
	wc_Sha256Final(&sha, digest);
}

static std::string wolfssl_version()
{
	return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}
#endif

#if defined(HAVE_IPSEC_MB)
#include <intel-ipsec-mb.h>

static IMB_MGR *ipsec_mb_manager()
{
	static IMB_MGR *manager;

	if (!manager) {
		manager = alloc_mb_mgr(0);
		init_mb_mgr_auto(manager, nullptr);
	}
	return manager;
}

/* The job interface without checks; the burst interface of 1.3 has no plain hashes. */
static void ipsec_mb_many(IMB_HASH_ALG algorithm, size_t digest_size, const Messages &messages,
			  unsigned char *digests)
{
	IMB_MGR *manager = ipsec_mb_manager();

	for (size_t i = 0; i < messages.size(); i++) {
		IMB_JOB *job = IMB_GET_NEXT_JOB(manager);

		job->cipher_mode = IMB_CIPHER_NULL;
		job->cipher_direction = IMB_DIR_ENCRYPT;
		job->chain_order = IMB_ORDER_HASH_CIPHER;
		job->hash_alg = algorithm;
		job->src = (const uint8_t *)messages[i].pieces->data;
		job->hash_start_src_offset_in_bytes = 0;
		job->msg_len_to_hash_in_bytes = messages[i].pieces->size;
		job->auth_tag_output = digests + i * digest_size;
		job->auth_tag_output_len_in_bytes = digest_size;
		IMB_SUBMIT_JOB_NOCHECK(manager);
	}
	while (IMB_FLUSH_JOB(manager))
		;
}

static void ipsec_mb_sha1(const Messages &messages, unsigned char *digests)
{
	ipsec_mb_many(IMB_AUTH_SHA_1, BLOCKSHA_SHA1_DIGEST_SIZE, messages, digests);
}

static void ipsec_mb_sha256(const Messages &messages, unsigned char *digests)
{
	ipsec_mb_many(IMB_AUTH_SHA_256, BLOCKSHA_SHA256_DIGEST_SIZE, messages, digests);
}

static std::string ipsec_mb_version()
{
	static const char *const names[] = {"none", "no AES-NI", "SSE", "AVX", "AVX2", "AVX-512"};
	unsigned arch = ipsec_mb_manager()->used_arch;

	return std::string("libipsec-mb ") + imb_get_version_str() + ", " +
	       (arch < std::size(names) ? names[arch] : "newer");
}

static unsigned ipsec_mb_lanes()
{
	switch (ipsec_mb_manager()->used_arch) {
	case IMB_ARCH_AVX:
		return 4;
	case IMB_ARCH_AVX2:
		return 8;
	case IMB_ARCH_AVX512:
		return 16;
	default: /* with SSE it depends on whether there is SHA-NI */
		return 0;
	}
}
#endif

/* --- The reference detector of collision attacks (bench/reference) --------- */

#include <dlfcn.h>
#include <sha1dc/sha1.h>

struct Reference {
	decltype(&SHA1DCInit) init;
	decltype(&SHA1DCSetSafeHash) set_safe_hash;
	decltype(&SHA1DCUpdate) update;
	decltype(&SHA1DCFinal) final;
};

/* nullptr, if it is not there. */
static const Reference *reference()
{
	static const Reference *found = [] {
		static Reference functions;
		void *library = dlopen(REFERENCE, RTLD_NOW | RTLD_LOCAL);

		if (!library)
			return (const Reference *)nullptr;
		functions.init = (decltype(&SHA1DCInit))dlsym(library, "SHA1DCInit");
		functions.set_safe_hash =
			(decltype(&SHA1DCSetSafeHash))dlsym(library, "SHA1DCSetSafeHash");
		functions.update = (decltype(&SHA1DCUpdate))dlsym(library, "SHA1DCUpdate");
		functions.final = (decltype(&SHA1DCFinal))dlsym(library, "SHA1DCFinal");
		return (const Reference *)&functions;
	}();

	return found;
}

/* With the settings of git. */
static void reference_sha1dc(const unsigned char *data, size_t size, unsigned char *digest)
{
	SHA1_CTX ctx;

	reference()->init(&ctx);
	reference()->set_safe_hash(&ctx, 0);
	reference()->update(&ctx, (const char *)data, size);
	reference()->final(digest, &ctx);
}

static std::string reference_version()
{
	return "sha1collisiondetection, gcc -O2";
}

struct Peer {
	const char *name;
	std::string (*version)();
	hash_fn *hash[BLOCKSHA_ALGORITHMS] = {}; /* by enum; nullptr: it has none */
	many_fn *many[BLOCKSHA_ALGORITHMS] = {};
	unsigned (*lanes)() = nullptr;
	const char *ia32cap = nullptr; /* as in struct Way, together with */
	const char *kernel = nullptr;  /* our kernel that uses the same instructions */
	bool (*is_there)() = nullptr;  /* for what is loaded at run time */
};

/* What OpenSSL 3.0 must not see for each of its paths. For SHA-1 and SHA-256 it prefers
   SHA-NI (CPUID leaf 7, EBX bit 29), then AVX2 (leaf 7), then AVX on Intel (leaf 1, ECX
   bit 28, here bit 60), then SSSE3 (ECX bit 9, here bit 41), then x86-64 alone. */
#define IA32CAP_AVX2 ":~0x20000000"
#define IA32CAP_SSSE3 "~0x1000000000000000:0"
#define IA32CAP_X86_64 "~0x1000020000000000:0"

static const std::vector<Peer> peers = {
#if defined(HAVE_OPENSSL)
	{.name = "openssl",
	 .version = openssl_version,
	 .hash = {openssl_sha1, openssl_sha256},
	 .many = {openssl_sha1_many, openssl_sha256_many}},
#if defined(__x86_64__)
	{.name = "openssl-avx2",
	 .version = openssl_version,
	 .hash = {openssl_sha1, openssl_sha256},
	 .ia32cap = IA32CAP_AVX2,
	 .kernel = "x86-avx2"},
	{.name = "openssl-ssse3",
	 .version = openssl_version,
	 .hash = {openssl_sha1, openssl_sha256},
	 .ia32cap = IA32CAP_SSSE3,
	 .kernel = "x86-ssse3"},
	{.name = "openssl-x86-64",
	 .version = openssl_version,
	 .hash = {openssl_sha1, openssl_sha256},
	 .ia32cap = IA32CAP_X86_64,
	 .kernel = "portable"},
#endif
#endif
#if defined(HAVE_LIBGCRYPT)
	{.name = "libgcrypt",
	 .version = libgcrypt_version,
	 .hash = {libgcrypt_sha1, libgcrypt_sha256}},
#endif
#if defined(HAVE_NETTLE)
	{.name = "nettle", .version = nettle_version, .hash = {nettle_sha1, nettle_sha256}},
#endif
#if defined(HAVE_BOTAN)
	{.name = "botan", .version = botan_version, .hash = {botan_sha1, botan_sha256}},
#endif
#if defined(HAVE_MBEDTLS)
	{.name = "mbedtls",
	 .version = mbedtls_version,
	 .hash = {mbedtls_sha1_hash, mbedtls_sha256_hash}},
#endif
#if defined(HAVE_WOLFSSL)
	{.name = "wolfssl", .version = wolfssl_version, .hash = {wolfssl_sha1, wolfssl_sha256}},
#endif
#if defined(HAVE_IPSEC_MB)
	{.name = "ipsec-mb",
	 .version = ipsec_mb_version,
	 .many = {ipsec_mb_sha1, ipsec_mb_sha256},
	 .lanes = ipsec_mb_lanes},
#endif
	{.name = "reference",
	 .version = reference_version,
	 .hash = {nullptr, nullptr, nullptr, reference_sha1dc},
	 .is_there = [] { return reference() != nullptr; }},
};

std::vector<Way> peer_ways(const Algorithm &algorithm)
{
	std::vector<Way> ways;

	for (const Peer &peer : peers) {
		hash_fn *hash = peer.hash[algorithm.id];
		many_fn *many = peer.many[algorithm.id];

		if ((!hash && !many) || (peer.is_there && !peer.is_there()))
			continue;
		/* Where our kernel cannot run, OpenSSL does not take that path either. */
		if (peer.kernel && !is_usable(algorithm.id, peer.kernel))
			continue;
		Way way = {.name = peer.name, .label = peer.version(), .hash = hash, .many = many};
		if (peer.lanes)
			way.lanes = peer.lanes();
		if (peer.ia32cap) {
			way.ia32cap = peer.ia32cap;
			way.label += std::string(", ia32cap=") + peer.ia32cap;
		}
		ways.push_back(way);
	}
	return ways;
}

/* --- A process of its own -------------------------------------------------- */

/*
 * OpenSSL reads OPENSSL_ia32cap once, when it is loaded. So each measurement of a masked
 * path is a new process: this program again, as
 *
 *     bench --child ALGORITHM PEER SIZE TIMES
 *
 * which prints the CPU time in seconds and the digest. Its start is not measured.
 */

static double cpu_seconds()
{
	timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int child_main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	size_t size = strtoul(argv[4], nullptr, 10);
	long times = atol(argv[5]);
	unsigned char digest[max_digest_size];
	char hex[2 * max_digest_size + 1];

	for (const Algorithm &algorithm : algorithms)
		for (const Way &way : peer_ways(algorithm)) {
			if (strcmp(algorithm.name, argv[2]) != 0 || way.name != argv[3])
				continue;
			const unsigned char *data = random_bytes(size);

			/* A millisecond to get warm: pages, caches, clock rate. */
			for (double start = cpu_seconds(); cpu_seconds() - start < 1e-3;)
				way.hash(data, size, digest);
			double start = cpu_seconds();
			for (long i = 0; i < times; i++)
				way.hash(data, size, digest);
			double seconds = cpu_seconds() - start;
			blocksha_hex_encode(hex, digest, algorithm.digest_size);
			return printf("%.9f %s\n", seconds, hex) < 0;
		}
	return 2;
}

double time_in_child(const Algorithm &algorithm, const Way &way, size_t size, int64_t times,
		     std::string &digest)
{
	char self[4096] = "", hex[2 * max_digest_size + 1];
	double seconds;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	/* The program's path comes through the environment, so that it needs no quoting. */
	setenv("BENCH_SELF", self, 1);
	setenv("OPENSSL_ia32cap", way.ia32cap, 1);
	std::string command = "exec \"$BENCH_SELF\" --child " + std::string(algorithm.name) + " " +
			      way.name + " " + std::to_string(size) + " " + std::to_string(times);
	FILE *child = popen(command.c_str(), "r");
	unsetenv("OPENSSL_ia32cap");
	if (!child)
		return -1;
	int fields = fscanf(child, "%lf %104s", &seconds, hex);
	if (pclose(child) != 0 || fields != 2 || strlen(hex) != 2 * algorithm.digest_size)
		return -1;
	digest.resize(algorithm.digest_size);
	if (blocksha_hex_decode(&digest[0], hex, digest.size()) != BLOCKSHA_OK)
		return -1;
	return seconds;
}
