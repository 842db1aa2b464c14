# make run   the whole chain on a recorded walk, without a radio
# make test  everything a change must pass
# make bench the figures that have limits, against programs in C in the same run
# make soak  what takes longer: the bus, the crashes and the chaos at full length, and the long suites of the radio lab
# make fuzz  the way from bytes to sightings, for FUZZ_SECONDS (60)
.DEFAULT_GOAL := run
SHELL := /bin/bash
.PHONY: run test soak build lint bench fuzz install clean prefix setup setup-tests

PREFIX ?= /usr
# Swift's runtime and the C++ library under it go into the programs; together with relocations in their short form this saves 2 MiB of a process.
# What the daemon calls stands together, which saves another (Benchmarks/order/make).
STATIC := .build/static
ORDER := Benchmarks/order/functions.txt
RELEASE := swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error -Xswiftc -use-ld=lld \
  -Xlinker -L$(CURDIR)/$(STATIC) -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --gc-sections \
  -Xlinker --symbol-ordering-file=$(CURDIR)/$(ORDER) -Xlinker --no-warn-symbol-ordering

run: build
	@Docs/examples/gallery/run .build/release

test: setup-tests build lint
	swift build --build-tests --explicit-target-dependency-import-check error
	Tests/run .build/release
	BEACONMON_PROGRAMS=$(CURDIR)/.build/release Tests/RadioLab/run

# No test of a soak begins or ends for an hour.
soak: export BEACONMON_TEST_LIMIT = 7200
soak: setup-tests build
	swift build --build-tests --explicit-target-dependency-import-check error
	BEACONMON_SOAK=1 Tests/run .build/release --filter 'BusFuzzTests|SessionLeakTests'
	BEACONMON_CRASHES=1000 Tests/run .build/release --filter CrashTests
	BEACONMON_CHAOS=600 Tests/run .build/release --filter ChaosTests
	BEACONMON_PROGRAMS=$(CURDIR)/.build/release Tests/RadioLab/run --soak

# A linker that finds only this one takes it instead of the shared library.
$(STATIC)/libstdc++.a: | setup
	@mkdir -p $(@D)
	@ln -sf "$$(gcc -print-file-name=$(@F))" $@

# The package manager does not know that the linker reads the order.
build: setup $(STATIC)/libstdc++.a
	@[ ! $(ORDER) -nt .build/release/beaconmond ] || rm -f .build/release/beaconmon{,d,-notifier}
	$(RELEASE)

lint: setup
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift
	.ci/check-imports
	.ci/check-sleeps

bench: setup-tests build
	Benchmarks/run.py

fuzz: setup
	Tests/Fuzz/run.sh

# What somebody has built is installed as it is by a root who has no Swift, as under sudo. The config of a device is never overwritten.
install: prefix $(if $(and $(wildcard .build/release/beaconmon-notifier),$(if $(shell command -v swift),,x)),,build)
	install -d $(DESTDIR)/etc/beaconmon
	install -Ds .build/release/beaconmond .build/release/beaconmon-notifier .build/release/beaconmon -t $(DESTDIR)$(PREFIX)/bin
	install -D Sources/Apps/beaconmon-venue/beaconmon-venue -t $(DESTDIR)$(PREFIX)/bin
	[ -e $(DESTDIR)/etc/beaconmon/beaconmon.toml ] || install -m 644 config/beaconmon.toml -t $(DESTDIR)/etc/beaconmon
	install -Dm 644 config/dbus/org.beaconmon.Monitor1.conf -t $(DESTDIR)$(PREFIX)/share/dbus-1/system.d
	install -Dm 644 config/dbus/org.beaconmon.Monitor1.service -t $(DESTDIR)$(PREFIX)/share/dbus-1/system-services
	install -Dm 644 config/dbus/session/org.beaconmon.Monitor1.service -t $(DESTDIR)$(PREFIX)/share/beaconmon/dbus-session
	install -Dm 644 config/dbus/org.beaconmon.Monitor1.*.xml -t $(DESTDIR)$(PREFIX)/share/dbus-1/interfaces
	install -Dm 644 config/polkit/org.beaconmon.monitor.policy -t $(DESTDIR)$(PREFIX)/share/polkit-1/actions
	install -Dm 644 systemd/*.service -t $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -D systemd/report-failure -t $(DESTDIR)$(PREFIX)/lib/beaconmon
	install -Dm 644 systemd/user/*.service -t $(DESTDIR)$(PREFIX)/lib/systemd/user
	install -Dm 644 systemd/hci.conf systemd/location.conf systemd/bluetooth-experimental.conf -t $(DESTDIR)$(PREFIX)/share/beaconmon
	install -Dm 644 Docs/examples/scenarios/*.toml -t $(DESTDIR)$(PREFIX)/share/beaconmon/scenarios
	install -Dm 644 systemd/beaconmon.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/beaconmon.conf
	install -Dm 644 LICENSE CHANGELOG.md Docs/events.md -t $(DESTDIR)$(PREFIX)/share/doc/beaconmon
	install -Dm 644 Docs/guides/*.md -t $(DESTDIR)$(PREFIX)/share/doc/beaconmon/guides
	install -Dm 644 Docs/dbus/*.md -t $(DESTDIR)$(PREFIX)/share/doc/beaconmon/dbus
	install -Dm 644 Docs/man/*.1 -t $(DESTDIR)$(PREFIX)/share/man/man1
	install -Dm 644 Docs/man/*.5 -t $(DESTDIR)$(PREFIX)/share/man/man5
	install -Dm 644 Docs/man/*.8 -t $(DESTDIR)$(PREFIX)/share/man/man8

prefix:
	@[ "$(PREFIX)" = /usr ] || { echo "PREFIX must be /usr, which the units, the bus' files and the messages name; DESTDIR takes another root" >&2; exit 64; }

setup:
	@.ci/setup

setup-tests:
	@.ci/setup tests

clean:
	swift package clean
