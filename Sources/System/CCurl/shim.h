#ifndef BEACONMON_CCURL_H
#define BEACONMON_CCURL_H

/* Only what libcurl's headers declare is used; no program links it. It is loaded on demand. */
#include <curl/curl.h>
#include <dlfcn.h>

struct curl_library {
  __typeof__(&curl_global_init) global_init;
  __typeof__(&curl_easy_init) easy_init;
  __typeof__(&curl_easy_cleanup) easy_cleanup;
  __typeof__(&curl_easy_strerror) easy_strerror;
  __typeof__(&curl_easy_setopt) easy_setopt;
  __typeof__(&curl_easy_getinfo) easy_getinfo;
  __typeof__(&curl_slist_append) slist_append;
  __typeof__(&curl_slist_free_all) slist_free_all;
  __typeof__(&curl_multi_init) multi_init;
  __typeof__(&curl_multi_cleanup) multi_cleanup;
  __typeof__(&curl_multi_setopt) multi_setopt;
  __typeof__(&curl_multi_add_handle) multi_add_handle;
  __typeof__(&curl_multi_remove_handle) multi_remove_handle;
  __typeof__(&curl_multi_socket_action) multi_socket_action;
  __typeof__(&curl_multi_info_read) multi_info_read;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *curl_library_load(struct curl_library *library) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(name) \
  if (!(library->name = (__typeof__(library->name))dlsym(handle, "curl_" #name))) return dlerror()
  BEACONMON_FIND(global_init);
  BEACONMON_FIND(easy_init);
  BEACONMON_FIND(easy_cleanup);
  BEACONMON_FIND(easy_strerror);
  BEACONMON_FIND(easy_setopt);
  BEACONMON_FIND(easy_getinfo);
  BEACONMON_FIND(slist_append);
  BEACONMON_FIND(slist_free_all);
  BEACONMON_FIND(multi_init);
  BEACONMON_FIND(multi_cleanup);
  BEACONMON_FIND(multi_setopt);
  BEACONMON_FIND(multi_add_handle);
  BEACONMON_FIND(multi_remove_handle);
  BEACONMON_FIND(multi_socket_action);
  BEACONMON_FIND(multi_info_read);
#undef BEACONMON_FIND
  library->global_init(CURL_GLOBAL_DEFAULT);
  return 0;
}

/* Variadic functions do not import. */
static inline CURLcode curl_library_set_number(struct curl_library library, CURL *easy, CURLoption option, long value) {
  return library.easy_setopt(easy, option, value);
}
/* Copied by libcurl, except for the error buffer. */
static inline CURLcode curl_library_set_text(struct curl_library library, CURL *easy, CURLoption option, const char *value) {
  return library.easy_setopt(easy, option, value);
}
static inline CURLcode curl_library_set_pointer(struct curl_library library, CURL *easy, CURLoption option, void *value) {
  return library.easy_setopt(easy, option, value);
}
static inline CURLcode curl_library_set_writer(struct curl_library library, CURL *easy, curl_write_callback writer) {
  return library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, writer);
}
static inline void curl_library_set_callbacks(
    struct curl_library library, CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
  library.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  library.multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  library.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  library.multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  library.multi_setopt(multi, CURLMOPT_MAXCONNECTS, 4L);
}
static inline long curl_library_status(struct curl_library library, CURL *easy) {
  long status = 0;
  library.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
/* Seconds; 0 without a Retry-After. */
static inline curl_off_t curl_library_retry_after(struct curl_library library, CURL *easy) {
  curl_off_t seconds = 0;
  library.easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}
/* A union does not import well. */
static inline CURLcode curl_library_result(const CURLMsg *message) { return message->data.result; }

#endif
