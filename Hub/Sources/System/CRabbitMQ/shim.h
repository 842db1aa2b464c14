#ifndef BEACONMON_CRABBITMQ_H
#define BEACONMON_CRABBITMQ_H

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>

/* Swift cannot call a variadic function. The certificate of the connection names the user; RabbitMQ ignores the name here, but the library
   cannot send an empty one. */
static inline amqp_rpc_reply_t hub_amqp_login_external(amqp_connection_state_t connection, const char *host, int channels, int heartbeat) {
  return amqp_login(connection, host, channels, 131072, heartbeat, AMQP_SASL_METHOD_EXTERNAL, "certificate");
}

#endif
