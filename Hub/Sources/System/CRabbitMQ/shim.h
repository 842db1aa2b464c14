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

#endif
