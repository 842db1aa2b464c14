#!/bin/sh
# Where each region of the config stands, and then what happens there. For root and the group beaconmon.
# A shell has no session: each busctl is a connection of its own, and a session ends with its connection.
set -eu
name=org.beaconmon.Monitor1
for region in $(busctl --list tree $name | grep "/region/"); do
  printf '%s ' "${region##*/}"
  busctl get-property $name "$region" $name.Region State
done
exec gdbus monitor --system --dest $name --object-path /org/beaconmon/Monitor1
