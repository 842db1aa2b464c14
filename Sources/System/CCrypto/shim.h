#ifndef BEACONMON_CCRYPTO_H
#define BEACONMON_CCRYPTO_H

/* Only what libcrypto's headers declare is used; no program links it. It is loaded on demand, and libcurl has loaded it. */
#include <dlfcn.h>
#include <openssl/hmac.h>

struct crypto_library {
  __typeof__(&HMAC) hmac;
  __typeof__(&EVP_sha256) sha256;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *crypto_library_load(struct crypto_library *library) {
  void *handle = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  if (!(library->hmac = (__typeof__(library->hmac))dlsym(handle, "HMAC"))) return dlerror();
  if (!(library->sha256 = (__typeof__(library->sha256))dlsym(handle, "EVP_sha256"))) return dlerror();
  return 0;
}

#endif
