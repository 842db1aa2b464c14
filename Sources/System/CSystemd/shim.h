#ifndef BEACONMON_CSYSTEMD_H
#define BEACONMON_CSYSTEMD_H

#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#endif
