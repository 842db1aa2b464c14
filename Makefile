# make run   the whole chain on a recorded walk, without a radio
# make test  everything a change must pass
.DEFAULT_GOAL := run
SHELL := /bin/bash
.PHONY: run test build lint bench fuzz install clean setup

RELEASE := swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error

run: build
	@Docs/examples/gallery/run .build/release

test: lint build
	swift build --build-tests --explicit-target-dependency-import-check error
	BEACONMON_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build
	BEACONMON_PROGRAMS=$(CURDIR)/.build/release Tests/RadioLab/run

build: setup
	$(RELEASE)

lint: setup
	swift format lint --strict --recursive Sources Tests Benchmarks Docs Package.swift
	.ci/check-imports

setup:
	@.ci/setup

clean:
	swift package clean
