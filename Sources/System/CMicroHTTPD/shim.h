#ifndef BEACONMON_CMICROHTTPD_H
#define BEACONMON_CMICROHTTPD_H

/* Only what libmicrohttpd's header declares is used; no program links it. It is loaded on demand. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <microhttpd.h>
#include <string.h>
#include <strings.h>

struct microhttpd_library {
  __typeof__(&MHD_start_daemon) start_daemon;
  __typeof__(&MHD_stop_daemon) stop_daemon;
  __typeof__(&MHD_run) run;
  __typeof__(&MHD_get_timeout) get_timeout;
  __typeof__(&MHD_get_daemon_info) get_daemon_info;
  __typeof__(&MHD_get_connection_info) get_connection_info;
  __typeof__(&MHD_lookup_connection_value) lookup_connection_value;
  __typeof__(&MHD_get_connection_values) get_connection_values;
  __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
  __typeof__(&MHD_create_response_from_fd64) create_response_from_fd64;
  __typeof__(&MHD_create_response_from_callback) create_response_from_callback;
  __typeof__(&MHD_set_connection_option) set_connection_option;
  __typeof__(&MHD_suspend_connection) suspend_connection;
  __typeof__(&MHD_resume_connection) resume_connection;
  __typeof__(&MHD_add_response_header) add_response_header;
  __typeof__(&MHD_queue_response) queue_response;
  __typeof__(&MHD_destroy_response) destroy_response;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *microhttpd_library_load(struct microhttpd_library *library) {
  void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(name) \
  if (!(library->name = (__typeof__(library->name))dlsym(handle, "MHD_" #name))) return dlerror()
  BEACONMON_FIND(start_daemon);
  BEACONMON_FIND(stop_daemon);
  BEACONMON_FIND(run);
  BEACONMON_FIND(get_timeout);
  BEACONMON_FIND(get_daemon_info);
  BEACONMON_FIND(get_connection_info);
  BEACONMON_FIND(lookup_connection_value);
  BEACONMON_FIND(get_connection_values);
  BEACONMON_FIND(create_response_from_buffer);
  BEACONMON_FIND(create_response_from_fd64);
  BEACONMON_FIND(create_response_from_callback);
  BEACONMON_FIND(set_connection_option);
  BEACONMON_FIND(suspend_connection);
  BEACONMON_FIND(resume_connection);
  BEACONMON_FIND(add_response_header);
  BEACONMON_FIND(queue_response);
  BEACONMON_FIND(destroy_response);
#undef BEACONMON_FIND
  return 0;
}

struct microhttpd_limits {
  unsigned connections;
  /* The same for each address of clients; 0 for no other limit. */
  unsigned connections_of_address;
  /* Seconds without any traffic after which a connection ends. */
  unsigned idle;
  /* Octets of a request with its headers, and of an answer that waits. */
  size_t memory;
};

/* The caller's functions. The structure must outlive the daemon. */
struct microhttpd_callbacks {
  /* Called after the headers of a request. Returns 1 to receive its content first, 0 to answer at once. */
  int (*awaits_content)(void *context, struct MHD_Connection *connection, const char *method);
  /* Takes a part of the content. Returns 0 to drop the connection. */
  int (*content)(void *context, struct MHD_Connection *connection, const char *octets, size_t size);
  /* Queues a response, or suspends the connection and is called again when it was resumed. Returns 0 to drop the connection. */
  int (*answer)(void *context, struct MHD_Connection *connection, const char *method, const char *path);
  /* Called when a connection has begun, with 1, and when it has ended, with 0. */
  void (*changed)(void *context, struct MHD_Connection *connection, int has_begun);
  void *context;
};

static enum MHD_Result microhttpd_library_handle(
    void *callbacks, struct MHD_Connection *connection, const char *path, const char *method, const char *version, const char *content,
    size_t *content_size, void **request) {
  struct microhttpd_callbacks *to = callbacks;
  (void)version;
  /* The library calls once after the headers, then for each part of the content, and then for the answer. */
  if (!*request) {
    *request = to;
    if (to->awaits_content(to->context, connection, method)) return MHD_YES;
  } else if (*content_size) {
    size_t size = *content_size;
    *content_size = 0;
    return to->content(to->context, connection, content, size) ? MHD_YES : MHD_NO;
  }
  return to->answer(to->context, connection, method, path) ? MHD_YES : MHD_NO;
}
static void microhttpd_library_changed(
    void *callbacks, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code) {
  struct microhttpd_callbacks *to = callbacks;
  (void)context;
  to->changed(to->context, connection, code == MHD_CONNECTION_NOTIFY_STARTED);
}

/* Variadic functions do not import. The daemon has no thread: its epoll descriptor belongs to the caller's loop. */
static inline struct MHD_Daemon *microhttpd_library_start(
    struct microhttpd_library library, int socket, struct microhttpd_limits limits, struct microhttpd_callbacks *callbacks) {
  return library.start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, microhttpd_library_handle, callbacks, MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_of_address,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory, MHD_OPTION_NOTIFY_CONNECTION, microhttpd_library_changed, callbacks, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}
/* The same over TLS with texts in PEM, of which the library makes copies. */
static inline struct MHD_Daemon *microhttpd_library_start_encrypted(
    struct microhttpd_library library, int socket, struct microhttpd_limits limits, struct microhttpd_callbacks *callbacks,
    const char *certificate, const char *key) {
  return library.start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TLS, 0, NULL, NULL, microhttpd_library_handle, callbacks,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
      limits.connections_of_address, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
      MHD_OPTION_NOTIFY_CONNECTION, microhttpd_library_changed, callbacks, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_END);
}
/* Works off what is ready. Returns the milliseconds until it has to be called again, or a negative number if only traffic requires that. */
static inline long long microhttpd_library_run(struct microhttpd_library library, struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG timeout = 0;
  library.run(daemon);
  if (library.get_timeout(daemon, &timeout) != MHD_YES) return -1;
  return timeout > 3600000 ? 3600000 : (long long)timeout;
}
/* Copies the body. Null if there is no memory. */
static inline struct MHD_Response *microhttpd_library_response(struct microhttpd_library library, const void *body, size_t size) {
  return library.create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}
/* Sends a file, and closes its descriptor with the response. */
static inline struct MHD_Response *microhttpd_library_file(struct microhttpd_library library, int descriptor, unsigned long long size) {
  return library.create_response_from_fd64(size, descriptor);
}
/* A response of unknown length, whose octets `read` returns when there are any. */
static inline struct MHD_Response *microhttpd_library_stream(struct microhttpd_library library, MHD_ContentReaderCallback read, void *stream) {
  return library.create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, stream, NULL);
}
/* Queues the response and releases it. Returns 0 to drop the connection. */
static inline int microhttpd_library_queue(
    struct microhttpd_library library, struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
  int queued = library.queue_response(connection, status, response) == MHD_YES;
  library.destroy_response(response);
  return queued;
}
/* Changes the seconds without traffic after which a connection ends. */
static inline void microhttpd_library_set_idle(struct microhttpd_library library, struct MHD_Connection *connection, unsigned seconds) {
  library.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
/* A union does not import well. Minus one if the daemon has none. */
static inline int microhttpd_library_epoll(struct microhttpd_library library, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}
static inline int microhttpd_library_socket(struct microhttpd_library library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
/* Writes the numeric address of the client, and returns it. Null for a Unix socket. */
static inline const char *microhttpd_library_client(
    struct microhttpd_library library, struct MHD_Connection *connection, char *text, unsigned size) {
  const union MHD_ConnectionInfo *info = library.get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  switch (info->client_addr->sa_family) {
    case AF_INET: return inet_ntop(AF_INET, &((const struct sockaddr_in *)info->client_addr)->sin_addr, text, size);
    case AF_INET6: return inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, text, size);
    default: return 0;
  }
}
/* Null without the header. */
static inline const char *microhttpd_library_header(struct microhttpd_library library, struct MHD_Connection *connection, const char *name) {
  return library.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}
struct microhttpd_search {
  const char *name;
  unsigned place;
  const char *value;
};
static enum MHD_Result microhttpd_library_compare(void *search, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct microhttpd_search *wanted = search;
  (void)kind;
  if (strcasecmp(name, wanted->name) != 0 || wanted->place-- > 0) return MHD_YES;
  wanted->value = value ? value : "";
  return MHD_NO;
}
/* The value of a header that comes several times, at a place from 0 on. Null beyond the last one. */
static inline const char *microhttpd_library_header_at(
    struct microhttpd_library library, struct MHD_Connection *connection, const char *name, unsigned place) {
  struct microhttpd_search search = {name, place, 0};
  library.get_connection_values(connection, MHD_HEADER_KIND, microhttpd_library_compare, &search);
  return search.value;
}
/* Null without the argument in the query of the URL. */
static inline const char *microhttpd_library_argument(struct microhttpd_library library, struct MHD_Connection *connection, const char *name) {
  return library.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

#endif
