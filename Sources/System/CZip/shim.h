#ifndef BEACONMON_CZIP_H
#define BEACONMON_CZIP_H

/* Only what libzip's header declares is used; no program links it. It is loaded on demand. */
#include <dlfcn.h>
#include <zip.h>

struct zip_library {
  __typeof__(&zip_source_buffer_create) source_buffer_create;
  __typeof__(&zip_source_free) source_free;
  __typeof__(&zip_source_keep) source_keep;
  __typeof__(&zip_source_open) source_open;
  __typeof__(&zip_source_read) source_read;
  __typeof__(&zip_source_close) source_close;
  __typeof__(&zip_open_from_source) open_from_source;
  __typeof__(&zip_get_num_entries) get_num_entries;
  __typeof__(&zip_stat_index) stat_index;
  __typeof__(&zip_fopen_index) fopen_index;
  __typeof__(&zip_fread) fread;
  __typeof__(&zip_fclose) fclose;
  __typeof__(&zip_source_buffer) source_buffer;
  __typeof__(&zip_file_add) file_add;
  __typeof__(&zip_file_set_dostime) file_set_dostime;
  __typeof__(&zip_close) close;
  __typeof__(&zip_discard) discard;
  __typeof__(&zip_strerror) strerror;
  __typeof__(&zip_error_init) error_init;
  __typeof__(&zip_error_fini) error_fini;
  __typeof__(&zip_error_strerror) error_strerror;
};

/* Loads the library. Returns null, or the reason from dlerror(3). The functions above are the same in both versions of the library. */
static inline const char *zip_library_load(struct zip_library *library) {
  void *handle = dlopen("libzip.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libzip.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(name) \
  if (!(library->name = (__typeof__(library->name))dlsym(handle, "zip_" #name))) return dlerror()
  BEACONMON_FIND(source_buffer_create);
  BEACONMON_FIND(source_free);
  BEACONMON_FIND(source_keep);
  BEACONMON_FIND(source_open);
  BEACONMON_FIND(source_read);
  BEACONMON_FIND(source_close);
  BEACONMON_FIND(open_from_source);
  BEACONMON_FIND(get_num_entries);
  BEACONMON_FIND(stat_index);
  BEACONMON_FIND(fopen_index);
  BEACONMON_FIND(fread);
  BEACONMON_FIND(fclose);
  BEACONMON_FIND(source_buffer);
  BEACONMON_FIND(file_add);
  BEACONMON_FIND(file_set_dostime);
  BEACONMON_FIND(close);
  BEACONMON_FIND(discard);
  BEACONMON_FIND(strerror);
  BEACONMON_FIND(error_init);
  BEACONMON_FIND(error_fini);
  BEACONMON_FIND(error_strerror);
#undef BEACONMON_FIND
  return 0;
}

#endif
