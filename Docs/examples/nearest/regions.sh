#!/bin/sh
# Prints the state of each region of the config, then its events. For root and the group beaconmon.
# A shell cannot hold a session: each busctl has its own connection, and a session ends with its connection.
set -eu
name=org.beaconmon.Monitor1
for region in $(busctl --list tree $name | grep "/region/"); do
  printf '%s ' "${region##*/}"
  busctl get-property $name "$region" $name.Region State
done
exec gdbus monitor --system --dest $name --object-path /org/beaconmon/Monitor1
