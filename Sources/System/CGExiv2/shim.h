#ifndef BEACONMON_CGEXIV2_H
#define BEACONMON_CGEXIV2_H

/* The functions of gexiv2 0.14 and GLib that are used, declared here because their headers would need GLib's at build time.
   No program links the libraries. They are loaded on demand; their soname stands for the interface. */
#include <dlfcn.h>
#include <stdint.h>
#include <sys/xattr.h>

/* Hides behind _GNU_SOURCE; the shim of CLinux has the reason. */
extern int memfd_create(const char *name, unsigned int flags);
enum { BEACONMON_MFD_CLOEXEC = 1 };

struct gexiv2_metadata;
/* GError of GLib. */
struct gexiv2_error {
  uint32_t domain;
  int code;
  char *message;
};
/* GExiv2LogLevel. */
enum { BEACONMON_GEXIV2_LOG_WARN = 2, BEACONMON_GEXIV2_LOG_ERROR = 3 };
typedef void (*gexiv2_log_handler)(int level, const char *message);

struct gexiv2_library {
  int (*initialize)(void);
  void (*log_set_level)(int level);
  void (*log_set_handler)(gexiv2_log_handler handler);
  struct gexiv2_metadata *(*metadata_new)(void);
  int (*metadata_open_path)(struct gexiv2_metadata *, const char *path, struct gexiv2_error **);
  int (*metadata_save_file)(struct gexiv2_metadata *, const char *path, struct gexiv2_error **);
  char *(*metadata_try_get_tag_string)(struct gexiv2_metadata *, const char *tag, struct gexiv2_error **);
  int (*metadata_try_set_tag_string)(struct gexiv2_metadata *, const char *tag, const char *value, struct gexiv2_error **);
  int (*metadata_try_clear_tag)(struct gexiv2_metadata *, const char *tag, struct gexiv2_error **);
  int (*metadata_try_has_tag)(struct gexiv2_metadata *, const char *tag, struct gexiv2_error **);
  const char *(*metadata_try_get_tag_type)(const char *tag, struct gexiv2_error **);
  char **(*metadata_get_exif_tags)(struct gexiv2_metadata *);
  char **(*metadata_get_xmp_tags)(struct gexiv2_metadata *);
  char **(*metadata_get_iptc_tags)(struct gexiv2_metadata *);
  void (*object_unref)(void *);
  void (*error_free)(struct gexiv2_error *);
  void (*free)(void *);
  void (*strfreev)(char **);
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *gexiv2_library_load(struct gexiv2_library *library) {
  void *handle = dlopen("libgexiv2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
/* A handle also finds the functions of the libraries that its library needs. */
#define BEACONMON_FIND(field, name) \
  if (!(library->field = (__typeof__(library->field))dlsym(handle, name))) return dlerror()
  BEACONMON_FIND(initialize, "gexiv2_initialize");
  BEACONMON_FIND(log_set_level, "gexiv2_log_set_level");
  BEACONMON_FIND(log_set_handler, "gexiv2_log_set_handler");
  BEACONMON_FIND(metadata_new, "gexiv2_metadata_new");
  BEACONMON_FIND(metadata_open_path, "gexiv2_metadata_open_path");
  BEACONMON_FIND(metadata_save_file, "gexiv2_metadata_save_file");
  BEACONMON_FIND(metadata_try_get_tag_string, "gexiv2_metadata_try_get_tag_string");
  BEACONMON_FIND(metadata_try_set_tag_string, "gexiv2_metadata_try_set_tag_string");
  BEACONMON_FIND(metadata_try_clear_tag, "gexiv2_metadata_try_clear_tag");
  BEACONMON_FIND(metadata_try_has_tag, "gexiv2_metadata_try_has_tag");
  BEACONMON_FIND(metadata_try_get_tag_type, "gexiv2_metadata_try_get_tag_type");
  BEACONMON_FIND(metadata_get_exif_tags, "gexiv2_metadata_get_exif_tags");
  BEACONMON_FIND(metadata_get_xmp_tags, "gexiv2_metadata_get_xmp_tags");
  BEACONMON_FIND(metadata_get_iptc_tags, "gexiv2_metadata_get_iptc_tags");
  BEACONMON_FIND(object_unref, "g_object_unref");
  BEACONMON_FIND(error_free, "g_error_free");
  BEACONMON_FIND(free, "g_free");
  BEACONMON_FIND(strfreev, "g_strfreev");
#undef BEACONMON_FIND
  return 0;
}

#endif
