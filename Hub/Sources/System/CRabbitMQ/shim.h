#ifndef BEACONMON_CRABBITMQ_H
#define BEACONMON_CRABBITMQ_H

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>

/* Swift cannot call a variadic function. */
static inline amqp_rpc_reply_t hub_amqp_login_plain(amqp_connection_state_t connection, const char *host, int channels, int heartbeat,
                                                    const char *user, const char *password) {
  return amqp_login(connection, host, channels, 131072, heartbeat, AMQP_SASL_METHOD_PLAIN, user, password);
}

/* Logs in, and lets the broker say when it takes no messages. */
static inline amqp_rpc_reply_t hub_amqp_login_notified(amqp_connection_state_t connection, const char *host, int channels, int heartbeat,
                                                       const char *user, const char *password) {
  amqp_table_entry_t capability = {amqp_cstring_bytes("connection.blocked"), {AMQP_FIELD_KIND_BOOLEAN, {1}}};
  amqp_table_entry_t property = {amqp_cstring_bytes("capabilities"), {AMQP_FIELD_KIND_TABLE, {0}}};
  amqp_table_t properties = {1, &property};
  property.value.value.table.num_entries = 1;
  property.value.value.table.entries = &capability;
  return amqp_login_with_properties(connection, host, channels, 131072, heartbeat, &properties, AMQP_SASL_METHOD_PLAIN, user, password);
}

#endif
