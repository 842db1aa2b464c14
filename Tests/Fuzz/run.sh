#!/bin/sh
# Fuzzes the ways from bytes to sightings and to locations with libFuzzer and AddressSanitizer, each for FUZZ_SECONDS (60). A finding is left in
# .build/fuzz and fails.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=.build/fuzz
mkdir -p "$work/corpus" "$work/location-corpus"
cd "$work"

flags="-O -g -sanitize=fuzzer,address -swift-version 6 -parse-as-library -I ."
compile() {  # MODULE FOLDER-OR-FILE
  # shellcheck disable=SC2046,SC2086
  swiftc $flags -wmo -emit-module -module-name "$1" -c -o "$1.o" $(find "$root/Sources/Core/$2" -name '*.swift')
}
for module in Instants Records Beacons BeaconAdvertising; do compile "$module" "$module"; done
# Of geodesy only what needs no package.
compile Geodesy Geodesy/Coordinate.swift
for module in Locations NMEA GPSD TrackRecordings; do compile "$module" "$module"; done
# shellcheck disable=SC2086
swiftc $flags -module-name FuzzCapture -o fuzz-capture "$root/Tests/Fuzz/FuzzCapture.swift" Instants.o Records.o Beacons.o BeaconAdvertising.o
# shellcheck disable=SC2086
swiftc $flags -module-name FuzzLocation -o fuzz-location "$root/Tests/Fuzz/FuzzLocation.swift" Instants.o Records.o Geodesy.o Locations.o NMEA.o GPSD.o TrackRecordings.o

run() {  # PROGRAM CORPUS SEEDS
  # Swift's own backtrace and the symbolizer of the sanitizer wait for each other.
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "./$1" "$2" "$3" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=8192 -verbosity=0
}
run fuzz-capture corpus "$root/Tests/Fuzz/corpus"
run fuzz-location location-corpus "$root/Tests/Fuzz/location-corpus"
echo "fuzz: ${FUZZ_SECONDS:-60} s each without a finding"
