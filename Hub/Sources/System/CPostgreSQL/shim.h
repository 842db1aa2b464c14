#ifndef BEACONMON_CPOSTGRESQL_H
#define BEACONMON_CPOSTGRESQL_H

#include <libpq-fe.h>

#endif
