#ifndef BEACONMON_CMOSQUITTO_H
#define BEACONMON_CMOSQUITTO_H

/* Only what libmosquitto's header declares is used; no program links it. It is loaded where an MQTT target needs it. */
#include <dlfcn.h>
#include <mosquitto.h>

struct mosquitto_library {
  __typeof__(&mosquitto_lib_init) lib_init;
  __typeof__(&mosquitto_new) new_client;
  __typeof__(&mosquitto_destroy) destroy;
  __typeof__(&mosquitto_user_data_set) user_data_set;
  __typeof__(&mosquitto_will_set) will_set;
  __typeof__(&mosquitto_username_pw_set) username_pw_set;
  __typeof__(&mosquitto_tls_set) tls_set;
  __typeof__(&mosquitto_int_option) int_option;
  __typeof__(&mosquitto_connect_bind_async) connect_bind_async;
  __typeof__(&mosquitto_publish) publish;
  __typeof__(&mosquitto_subscribe) subscribe;
  __typeof__(&mosquitto_loop_read) loop_read;
  __typeof__(&mosquitto_loop_write) loop_write;
  __typeof__(&mosquitto_loop_misc) loop_misc;
  __typeof__(&mosquitto_socket) socket;
  __typeof__(&mosquitto_want_write) want_write;
  __typeof__(&mosquitto_connect_callback_set) connect_callback_set;
  __typeof__(&mosquitto_publish_callback_set) publish_callback_set;
  __typeof__(&mosquitto_subscribe_callback_set) subscribe_callback_set;
  __typeof__(&mosquitto_message_callback_set) message_callback_set;
  __typeof__(&mosquitto_log_callback_set) log_callback_set;
  __typeof__(&mosquitto_strerror) strerror;
  __typeof__(&mosquitto_connack_string) connack_string;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *mosquitto_library_load(struct mosquitto_library *library) {
  void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(field, name) \
  if (!(library->field = (__typeof__(library->field))dlsym(handle, "mosquitto_" name))) return dlerror()
  BEACONMON_FIND(lib_init, "lib_init");
  BEACONMON_FIND(new_client, "new");
  BEACONMON_FIND(destroy, "destroy");
  BEACONMON_FIND(user_data_set, "user_data_set");
  BEACONMON_FIND(will_set, "will_set");
  BEACONMON_FIND(username_pw_set, "username_pw_set");
  BEACONMON_FIND(tls_set, "tls_set");
  BEACONMON_FIND(int_option, "int_option");
  BEACONMON_FIND(connect_bind_async, "connect_bind_async");
  BEACONMON_FIND(publish, "publish");
  BEACONMON_FIND(subscribe, "subscribe");
  BEACONMON_FIND(loop_read, "loop_read");
  BEACONMON_FIND(loop_write, "loop_write");
  BEACONMON_FIND(loop_misc, "loop_misc");
  BEACONMON_FIND(socket, "socket");
  BEACONMON_FIND(want_write, "want_write");
  BEACONMON_FIND(connect_callback_set, "connect_callback_set");
  BEACONMON_FIND(publish_callback_set, "publish_callback_set");
  BEACONMON_FIND(subscribe_callback_set, "subscribe_callback_set");
  BEACONMON_FIND(message_callback_set, "message_callback_set");
  BEACONMON_FIND(log_callback_set, "log_callback_set");
  BEACONMON_FIND(strerror, "strerror");
  BEACONMON_FIND(connack_string, "connack_string");
#undef BEACONMON_FIND
  library->lib_init();
  return 0;
}

#endif
