#ifndef BEACONMON_CSODIUMONDEMAND_H
#define BEACONMON_CSODIUMONDEMAND_H

/* No program links libsodium, and none needs its header: it is loaded where a device takes a rollout. The hub has a module CSodium. */
#include <dlfcn.h>

struct sodium_library {
  int (*init)(void);
  int (*verify)(const unsigned char *signature, const unsigned char *octets, unsigned long long count, const unsigned char *key);
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *sodium_library_load(struct sodium_library *library) {
  void *handle = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  if (!(library->init = (__typeof__(library->init))dlsym(handle, "sodium_init"))) return dlerror();
  if (!(library->verify = (__typeof__(library->verify))dlsym(handle, "crypto_sign_ed25519_verify_detached"))) return dlerror();
  return library->init() < 0 ? "libsodium cannot be initialised" : 0;
}

#endif
