#!/bin/sh
# Fuzzes the way from bytes to sightings with libFuzzer and AddressSanitizer for FUZZ_SECONDS (60). A finding is left in .build/fuzz and fails.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=.build/fuzz
mkdir -p "$work/corpus"
cd "$work"

flags="-O -g -sanitize=fuzzer,address -swift-version 6 -parse-as-library -I ."
for module in Instants Records BeaconAdvertising; do
  # shellcheck disable=SC2086
  swiftc $flags -wmo -emit-module -module-name "$module" -c -o "$module.o" "$root/Sources/Core/$module"/*.swift
done
# shellcheck disable=SC2086
swiftc $flags -module-name FuzzCapture -o fuzz-capture "$root/Tests/Fuzz/FuzzCapture.swift" Instants.o Records.o BeaconAdvertising.o

# Swift's own backtrace and the symbolizer of the sanitizer wait for each other.
SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 ./fuzz-capture corpus "$root/Tests/Fuzz/corpus" \
  -max_total_time="${FUZZ_SECONDS:-60}" -max_len=8192 -verbosity=0
echo "fuzz: ${FUZZ_SECONDS:-60} s without a finding"
