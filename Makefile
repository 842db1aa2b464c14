# make run            plays a recorded walk through all programs, without a radio
# make web            serves the page on a simulated venue, without a radio, and prints the address of a login
# make test           runs everything that a change must pass
# make lint           checks format, imports, texts, man pages and drawings
# make release        makes a version to publish: the packages, an apt repository, checksums and an SBOM
# make bench          measures the figures that have limits, against programs in C in the same run
# make soak           runs the long tests of the bus, crashes, chaos and damaged files, the long suites of the radio and the boot lab, and a
#                     Home Assistant core
# make fuzz           fuzzes the decoders for FUZZ_SECONDS (60)
# make docs           builds the site of guides, reference and library into .build/docs
# make check-docs     runs every command and snippet of the documents, and checks the reference and the site
# make check-accessibility checks the site and the report of a survey with axe from PyPI, in Debian's chromium
# make docs-pictures  renders the pictures of the documents from the real screens and from the page
# make schema         writes the JSON Schema of the config from its readers and its manual
# make docs-modules   draws the modules of Package.swift
# make hub            builds and tests the hub of a fleet
# make fleet          shows a hub and its page with private servers and 50 simulated devices, until Ctrl-C
# make hub-deb        makes and checks the Debian package of the hub, in .build/hub-deb
# make boot-lab       tests the packages on a booted system; needs root
# make deb            makes the Debian packages of the programs of `make build`, in .build/deb
# make check-deb      checks these packages with lintian, their size and their AppArmor profiles
# make install, make uninstall: installs the result of `make build` into DESTDIR, or removes it; install-hub and uninstall-hub do so for `make build-hub`
.DEFAULT_GOAL := run
SHELL := /bin/bash
.PHONY: run web test break-fleet check-fleet-page compare-order compare-pictures compare-documents site boot-lab soak build deb release repository check-deb lint bench fuzz docs check-docs check-accessibility docs-pictures docs-modules schema install uninstall clean prefix built fleet hub build-hub hub-deb install-hub uninstall-hub built-hub setup setup-lint setup-tests setup-deb setup-release setup-hub setup-docs

PREFIX ?= /usr
# The programs contain the Swift runtime and the libraries of the C and C++ compilers; together with short relocations this saves 2 MiB of a process.
# The linker places the functions that the daemon and the notifier call side by side, which saves another (Benchmarks/order/update).
STATIC := .build/static
ORDER := Benchmarks/order/functions.txt
# -z now binds every symbol at the start, so that the table of addresses is read-only while a program processes packets and calls.
# --icf=all keeps one of several identical functions, which is 2 MB less of each program (decision 52).
LINKER := -Xlinker -L$(CURDIR)/$(STATIC) -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --gc-sections -Xlinker --symbol-ordering-file=$(CURDIR)/$(ORDER) \
  -Xlinker --no-warn-symbol-ordering -Xlinker -T -Xlinker $(CURDIR)/Benchmarks/order/unnamed.ld
release = swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error -Xswiftc -use-ld=lld $(1) \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
RELEASE := $(call release,$(LINKER))
# The programs that are tested and installed: one file with four names, because four files would contain the Swift runtime and most modules four times
# (decision 52). Debugging information would contain the folder of the build, on which the build id must not depend.
BUILT := .build/programs
# The compiler searches its own folders for libstdc++ before those that -Xlinker names.
COMBINED := swiftc -static-stdlib -emit-executable -use-ld=lld -L$(CURDIR)/$(STATIC) -Xclang-linker -static-libgcc -lsqlite3 -lsystemd -ldbus-1 -lm $(LINKER) \
  -Xlinker --keep-unique=beaconmon_end_of_order -Xlinker --strip-debug
# The program of the hub is a file of its own, because no device has it. The order of functions is that of the daemon and the notifier.
HUB_BUILT := .build/hub-programs
HUB_SCRATCH := .build/hub
HUB_RELEASE := $(call release,$(subst -Xlinker --symbol-ordering-file=$(CURDIR)/$(ORDER),,$(LINKER)) -Xlinker --strip-debug)

run: build
	@Docs/examples/gallery/run $(BUILT)

web: build
	@Tests/Web/run $(BUILT) --speed $(or $(SPEED),1) --listen 127.0.0.1:8463 -- Tests/Web/show

BEGAN := $(shell date +%s)
# The order, the pictures and the documents are compared while a fleet is broken, because all but the documents mostly wait.
test: setup-tests setup-docs build lint
	swift build --build-tests --explicit-target-dependency-import-check error
	.ci/deb $(BUILT) .build/deb
	.ci/check-deb .build/deb
	Tests/run $(BUILT)
	$(MAKE) --no-print-directory hub
	Tests/Web/run $(BUILT) --speed 4 -- Tests/Web/browser test_accessibility test_editor test_keyboard test_login test_markup test_recovery test_views
	$(MAKE) --no-print-directory --jobs=4 --output-sync break-fleet check-fleet-page compare-documents compare-order compare-pictures
	BOOTLAB_SECONDS=240 BEACONMON_PROGRAMS=$(CURDIR)/$(BUILT) Tests/BootLab/run smoke core-share
	BEACONMON_PROGRAMS=$(CURDIR)/$(BUILT) Tests/RadioLab/run
	@seconds=$$(($$(date +%s) - $(BEGAN))); echo "make test took $$seconds s"; \
	  [ $$seconds -le 1800 ] || echo "warning: this is more than the 30 minutes that a change may take" >&2

break-fleet:
	Tests/Fleet/soak --self-test
	Tests/Fleet/run $(BUILT)
	Tests/Fleet/show --check

check-fleet-page:
	Tests/Fleet/page
	Tests/Fleet/page-browser

compare-order:
	Benchmarks/order/update --check

compare-pictures:
	Docs/pictures/render $(BUILT) --check

compare-documents: site
	.ci/check-reference --self-test $(BUILT)
	.ci/check-reference $(BUILT)
	Tests/Docs/run $(BUILT) --self-test
	Tests/Docs/run $(BUILT)

# It needs root, and a quarter of an hour of two processors that do nothing else: `make test` runs its shortest suites only.
boot-lab: setup-tests deb hub-deb
	BEACONMON_PROGRAMS=$(CURDIR)/$(BUILT) Tests/BootLab/run

# A single test of a soak can take an hour. The figures of a fleet have limits, which Tests/Fleet/thresholds.py lists; let nothing else run beside them.
soak: export BEACONMON_TEST_LIMIT = 7200
# A lab that cannot run is a failure here.
soak: export BOOTLAB_REQUIRED = 1
soak: export RADIOLAB_REQUIRED = 1
soak: export HOMEASSISTANT_REQUIRED = 1
soak: setup-tests build
	swift build --build-tests --explicit-target-dependency-import-check error
	BEACONMON_SOAK=1 Tests/run $(BUILT) --filter 'BusFuzzTests|SessionLeakTests|ServiceTests|SimulatedWalkTests|HeadingEstimatorTests|MotionGainTests|MissingTests'
	BEACONMON_CRASHES=1000 Tests/run $(BUILT) --filter CrashTests
	BEACONMON_CHAOS=600 Tests/run $(BUILT) --filter ChaosTests
	BEACONMON_DAMAGES=20000 BEACONMON_FAULT_STRIDE=1 Tests/run $(BUILT) --filter DamageTests
	BEACONMON_PROGRAMS=$(CURDIR)/$(BUILT) Tests/RadioLab/run --soak
	cd Hub && swift build -c release
	Hub/.build/release/room-figures --check
	Tests/Fleet/soak --backlog 14400 --restart --ends 5
	Tests/Fleet/soak --fast 1500 --slow 0 --quiet 60 --faults 0
	Tests/Fleet/soak --fast 500 --slow 0 --quiet 0 --faults 5 --kinds fill_log
	Tests/HomeAssistant/run $(BUILT)
	.ci/deb $(BUILT) .build/deb
	$(MAKE) --no-print-directory hub-deb
	$(MAKE) --no-print-directory repository
	.ci/check-source .build/release-$(shell .ci/version)
	old=$$(Tests/Upgrade/release) && BEACONMON_HOURS=$(or $(BEACONMON_HOURS),24) BEACONMON_OLD_PACKAGES=$$old Tests/BootLab/run

# The hub of a fleet is a package of its own: Docs/fleet.md.
hub: setup-tests
	cd Hub && swift build --build-tests && swift test
	.ci/check-reference --hub Hub/.build/debug/beaconmon-hub

# Servers, a worker, the page and 50 simulated devices of three sites until Ctrl-C.
fleet: setup-tests
	cd Hub && swift build
	Tests/Fleet/show

# The linker uses the static library if its search path has no shared one.
$(STATIC)/libstdc++.a: | setup
	@mkdir -p $(@D)
	@ln -sf "$$(gcc -print-file-name=$(@F))" $@

# A source package of Debian contains the packages in the folder swiftpm.
CHECKOUTS := $(if $(wildcard swiftpm),swiftpm,.build/checkouts)

# The package manager does not track the order file as an input of the linker.
build: setup $(STATIC)/libstdc++.a
	@[ ! $(ORDER) -nt .build/release/beaconmond ] || rm -f .build/release/beaconmon{,d,-notifier,-web}
	$(RELEASE)
	@mkdir -p $(BUILT)/notices
	gcc -O2 -Wall -Wextra -Werror -c -o $(BUILT)/main.o Sources/Apps/combined/main.c
	@LC_ALL=C sort -u .build/release/beaconmon{,d,-notifier,-web}.product/Objects.LinkFileList >$(BUILT)/objects
	$(COMBINED) -o $(BUILT)/beaconmon @$(BUILT)/objects $(BUILT)/main.o
	@for name in beaconmond beaconmon-notifier beaconmon-web; do ln -sf beaconmon $(BUILT)/$$name; done
	@cp -f $(CHECKOUTS)/swift-log/{LICENSE,NOTICE}.txt $(BUILT)/notices/
	@touch $(BUILT)/notices

build-hub: setup-hub $(STATIC)/libstdc++.a
	cd Hub && $(HUB_RELEASE) --product beaconmon-hub --scratch-path ../$(HUB_SCRATCH)
	@mkdir -p $(HUB_BUILT)/notices
	@cp -f $(HUB_SCRATCH)/release/beaconmon-hub $(HUB_BUILT)/
	@cp -f $(or $(wildcard swiftpm),$(HUB_SCRATCH)/checkouts)/swift-log/{LICENSE,NOTICE}.txt $(HUB_BUILT)/notices/
	@touch $(HUB_BUILT)/notices

# The packages of DEB_VERSION, which defaults to the version of the changelog, with the commit while the changelog has unreleased changes.
deb: setup-deb build
	.ci/deb $(BUILT) .build/deb

check-deb: deb
	.ci/check-deb .build/deb

# The package of the hub alone, which no device needs: `make deb` and `make test` do not wait for its build.
hub-deb: setup-deb build-hub
	.ci/deb - .build/hub-deb $(HUB_BUILT)
	.ci/check-deb .build/hub-deb

# The list of functions is part of the source, because each trace differs a little: Benchmarks/order/update writes it. A key in SIGNING_KEY signs the repository.
release: setup-tests build build-hub
	Benchmarks/order/update --check
	$(MAKE) repository

# The part of a release after the build: packages, sources, apt repository, SBOM, checksums; reproducible.
repository: setup-release
	.ci/release $(BUILT) $(HUB_BUILT) .build/release-$(shell .ci/version)
	.ci/check-sbom .build/release-$(shell .ci/version)/beaconmon.spdx.json
	.ci/check-release .build/release-$(shell .ci/version)

lint: setup-lint
	swift format lint --strict --recursive Sources Tests Benchmarks Hub Package.swift
	.ci/check-imports
	.ci/check-declarations
	.ci/check-sleeps
	.ci/check-portable
	.ci/check-sizes
	.ci/check-dependencies
	.ci/check-changelog
	.ci/check-version
	.ci/check-prose --self-test
	.ci/check-prose
	.ci/check-links
	.ci/check-messages
	.ci/check-schema
	.ci/check-spelling
	reuse lint --quiet || { reuse lint; exit 1; }
	mandoc -T lint -W warning $(wildcard Docs/man/*.[158])
	Docs/pictures/modules --check

bench: setup-tests build
	Benchmarks/run.py

# Docs/pictures/*.svg; `make test` fails if the programs draw anything else.
docs-pictures: build
	Docs/pictures/render $(BUILT)
	Tests/Web/run $(BUILT) --speed 4 -- Tests/Web/pictures

docs-modules: setup-lint
	Docs/pictures/modules

# Any static web server can show the site; its pages also work as files, except those of the library.
docs: build setup-docs
	$(MAKE) --no-print-directory site

site:
	Docs/site/build $(BUILT) .build/docs
	.ci/check-links --site .build/docs

# The modules of the tests type-check the snippets in Swift.
check-docs: setup-tests setup-docs build
	$(MAKE) --no-print-directory compare-documents

check-accessibility: docs
	.ci/check-accessibility .build/docs .build/programs

# A test makes the schema, because the readers and the manual are read in one place then; it fails if the file is another one.
schema: setup
	BEACONMON_WRITE_SCHEMA=1 swift test --filter SchemaTests

fuzz: setup
	Tests/Fuzz/run.sh

# The installed files: a mode, a folder, files. `make uninstall` removes the same.
PROGRAMS ?= $(BUILT)
# A distribution whose systemd reads units in another folder sets UNITDIR. STRIP is the program that removes symbols, such as aarch64-linux-gnu-strip for
# programs of another architecture; without a value the programs keep their symbols.
UNITDIR ?= $(PREFIX)/lib/systemd/system
STRIP ?= strip
doc := $(PREFIX)/share/doc/beaconmon
define FILES
755 $(PREFIX)/bin $(addprefix $(PROGRAMS)/,beaconmon beaconmond beaconmon-notifier beaconmon-web)
755 $(PREFIX)/bin $(addprefix Sources/Apps/beaconmon-testbed/,beaconmon-testbed beaconmon-venue)
755 $(PREFIX)/lib/beaconmon systemd/report-failure
644 $(PREFIX)/share/dbus-1/system.d config/dbus/org.beaconmon.Monitor1.conf config/dbus/org.beaconmon.Sharing1.conf config/dbus/org.beaconmon.Web1.conf
644 $(PREFIX)/share/dbus-1/system-services config/dbus/org.beaconmon.Monitor1.service
644 $(PREFIX)/share/beaconmon/dbus-session config/dbus/session/org.beaconmon.Monitor1.service
644 $(PREFIX)/share/dbus-1/interfaces $(wildcard config/dbus/org.beaconmon.Monitor1.*.xml) config/dbus/org.beaconmon.Sharing1.xml
644 $(PREFIX)/share/polkit-1/actions config/polkit/org.beaconmon.monitor.policy
644 $(PREFIX)/share/polkit-1/rules.d config/polkit/50-beaconmon-web.rules
644 $(UNITDIR) $(wildcard systemd/*.service systemd/*.socket)
644 $(PREFIX)/lib/systemd/user $(wildcard systemd/user/*.service)
644 $(PREFIX)/share/beaconmon config/beaconmon.toml config/beaconmon.schema.json
644 $(PREFIX)/share/beaconmon systemd/hci.conf systemd/location.conf systemd/geocoding.conf systemd/sensors.conf systemd/metrics.conf systemd/bluetooth-experimental.conf
644 $(PREFIX)/share/beaconmon systemd/60-beaconmon-sensors.rules
644 $(PREFIX)/share/beaconmon/scenarios $(wildcard Docs/examples/scenarios/*.toml)
644 $(PREFIX)/lib/sysusers.d systemd/beaconmon.sysusers=beaconmon.conf
644 $(PREFIX)/lib/tmpfiles.d systemd/beaconmon.tmpfiles=beaconmon.conf
644 $(PREFIX)/share/man/man1 $(wildcard Docs/man/*.1)
644 $(PREFIX)/share/man/man5 $(wildcard Docs/man/*.5)
644 $(PREFIX)/share/man/man8 $(filter-out %-hub.8,$(wildcard Docs/man/*.8))
644 $(doc) LICENSE CHANGELOG.md SECURITY.md Docs/events.md Docs/metrics.md Docs/dependencies.md
644 $(doc)/notices $(addprefix $(PROGRAMS)/notices/,LICENSE.txt=swift-log.LICENSE.txt NOTICE.txt=swift-log.NOTICE.txt)
644 $(doc)/guides $(wildcard Docs/guides/*.md)
644 $(doc)/dbus $(wildcard Docs/dbus/*.md)
644 $(doc)/examples/monitoring $(wildcard Docs/examples/monitoring/*)
644 $(doc)/examples/scenarios $(wildcard Docs/examples/scenarios/*.toml)
endef
# Examples keep their folders and whether they are executable.
define EXAMPLE
$(if $(filter $(EXECUTABLES),$(1)),755,644) $(doc)/examples/$(patsubst %/,%,$(dir $(1:Docs/examples/%=%))) $(1)

endef
EXAMPLES := $(sort $(shell find Docs/examples/nearest Docs/examples/here Docs/examples/compass Docs/examples/panorama Docs/examples/gallery-guide Docs/examples/venues -type f ! -path '*/__pycache__/*' ! -path '*/.*'))
EXECUTABLES := $(shell find Docs/examples -type f -perm -u+x)
# The files of the page keep their folders.
define PAGE
644 $(patsubst %/,%,$(dir $(1:Web/%=$(PREFIX)/share/beaconmon-web/%))) $(1)

endef
PAGES := $(sort $(shell find $(wildcard Web) /dev/null -type f ! -name '*.md' ! -path '*/.*'))
export FILES_TABLE = $(FILES)
export PAGES_TABLE = $(foreach file,$(PAGES),$(call PAGE,$(file)))
export EXAMPLES_TABLE = $(foreach file,$(EXAMPLES),$(call EXAMPLE,$(file)))

# The target builds nothing, because root, as under sudo, may have neither Swift nor the packages for a build. It never overwrites the config of a device. The
# bus policy comes before any file that could start the daemon; beaconmon-setup.service creates the users.
install: prefix built
	@STRIP="$(STRIP)" .ci/files install "$(DESTDIR)" <<<"$$FILES_TABLE"$$'\n'"$$EXAMPLES_TABLE"$$'\n'"$$PAGES_TABLE"
	@# The server sends these to browsers that accept them. Without times, two packages are the same.
	@[ ! -d $(DESTDIR)$(PREFIX)/share/beaconmon-web ] || find $(DESTDIR)$(PREFIX)/share/beaconmon-web -type f -name '*.*' ! -name '*.gz' ! -name '*.png' -exec gzip -9nkf {} +
	@install -d $(DESTDIR)/etc/beaconmon/conf.d
	@install -d -m 700 $(DESTDIR)/etc/beaconmon/secrets
	@[ -e $(DESTDIR)/etc/beaconmon/beaconmon.toml ] || install -m 644 config/beaconmon.toml -t $(DESTDIR)/etc/beaconmon

# The files of the hub, for another machine than a device. SHARED_PAGES are the files of a device's page that the page of the hub has too; .ci/check-page compares.
HUB_PROGRAMS ?= $(HUB_BUILT)
hub_doc := $(PREFIX)/share/doc/beaconmon-hub
define HUB_FILES
755 $(PREFIX)/bin $(HUB_PROGRAMS)/beaconmon-hub
644 $(UNITDIR) $(wildcard Hub/systemd/*.service)
644 $(PREFIX)/lib/sysusers.d Hub/systemd/beaconmon-hub.sysusers=beaconmon-hub.conf
644 $(PREFIX)/share/beaconmon-hub Hub/config/hub.conf Hub/config/alerts.toml Hub/systemd/web-low-port.conf
644 $(PREFIX)/share/man/man8 Docs/man/beaconmon-hub.8
644 $(hub_doc) LICENSE CHANGELOG.md SECURITY.md Docs/fleet.md Docs/events.md Docs/dependencies.md
644 $(hub_doc)/fleet $(wildcard Docs/fleet/*.md)
644 $(hub_doc)/notices $(addprefix $(HUB_PROGRAMS)/notices/,LICENSE.txt=swift-log.LICENSE.txt NOTICE.txt=swift-log.NOTICE.txt)
endef
define HUB_PAGE
644 $(patsubst %/,%,$(dir $(1:$(2)/%=$(PREFIX)/share/beaconmon-hub/page/%))) $(1)

endef
HUB_PAGES := $(sort $(shell find $(wildcard Hub/Web) /dev/null -type f ! -name '*.md' ! -path '*/.*'))
SHARED_PAGES := $(sort $(filter-out $(addprefix Web/app/,beacons.js feed.js login.js main.js),$(shell find Web/app Web/events Web/strings -type f ! -path '*/.*')) \
  Web/icon.svg $(addprefix Web/plan/,affine.js geo.js labels.js leaflet.js map.js) Web/plan.css Web/style.css Web/views.css)
export HUB_FILES_TABLE = $(HUB_FILES)
export HUB_PAGES_TABLE = $(foreach file,$(HUB_PAGES),$(call HUB_PAGE,$(file),Hub/Web))$(foreach file,$(SHARED_PAGES),$(call HUB_PAGE,$(file),Web))

# The two configurations are for group and modes of the hub's user, which a package or an administrator has to make.
install-hub: prefix built-hub
	@STRIP="$(STRIP)" .ci/files install "$(DESTDIR)" <<<"$$HUB_FILES_TABLE"$$'\n'"$$HUB_PAGES_TABLE"
	@find $(DESTDIR)$(PREFIX)/share/beaconmon-hub/page -type f -name '*.*' ! -name '*.gz' ! -name '*.png' -exec gzip -9nkf {} +
	@install -d $(DESTDIR)/etc/beaconmon-hub/secrets

uninstall-hub: prefix
	@[ ! -d "$(DESTDIR)$(PREFIX)/share/beaconmon-hub" ] || find "$(DESTDIR)$(PREFIX)/share/beaconmon-hub" -name '*.gz' -delete
	@.ci/files uninstall "$(DESTDIR)" <<<"$$HUB_FILES_TABLE"$$'\n'"$$HUB_PAGES_TABLE"
	@echo "Kept: $(DESTDIR)/etc/beaconmon-hub (settings, certificates and keys). Remove it yourself if you do not need it."

SERVICES := beaconmond.service beaconmon-notifier.service beaconmon-action.socket beaconmon-web.service
uninstall: prefix
	@[ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ] || systemctl --quiet disable --now $(SERVICES) || true
	@[ ! -d "$(DESTDIR)$(PREFIX)/share/beaconmon-web" ] || find "$(DESTDIR)$(PREFIX)/share/beaconmon-web" -name '*.gz' -delete
	@.ci/files uninstall "$(DESTDIR)" <<<"$$FILES_TABLE"$$'\n'"$$EXAMPLES_TABLE"$$'\n'"$$PAGES_TABLE"
	@[ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
	@echo "Kept: $(DESTDIR)/etc/beaconmon (the config and its secrets), $(DESTDIR)/var/lib/beaconmon, $(DESTDIR)/var/lib/beaconmon-notifier, $(DESTDIR)/var/lib/beaconmon-rollout and $(DESTDIR)/var/lib/beaconmon-web (events, consent, undelivered events, rollouts and logins)," \
	  "and the users beaconmon, beaconmon-action and beaconmon-web. Remove them yourself if you do not need them."

prefix:
	@[ "$(PREFIX)" = /usr ] || { echo "PREFIX must be /usr, which the units, the bus' files and the messages name; DESTDIR takes another root" >&2; exit 64; }

# Every build touches the notices last, even if nothing was out of date.
built:
	@for file in beaconmond beaconmon-notifier beaconmon-web beaconmon notices/NOTICE.txt; do \
	  [ -e "$(PROGRAMS)/$$file" ] || { echo "$(PROGRAMS)/$$file is not there; run \"make build\" first, as a user who has Swift" >&2; exit 66; }; \
	done; \
	newer=$$(find Sources Package.swift -newer "$(PROGRAMS)/notices" -type f -print -quit); \
	[ -z "$$newer" ] || { echo "$$newer is newer than what is built in $(PROGRAMS); run \"make build\" first" >&2; exit 66; }

built-hub:
	@for file in beaconmon-hub notices/NOTICE.txt; do \
	  [ -e "$(HUB_PROGRAMS)/$$file" ] || { echo "$(HUB_PROGRAMS)/$$file is not there; run \"make build-hub\" first, as a user who has Swift" >&2; exit 66; }; \
	done; \
	newer=$$(find Hub/Sources Hub/Package.swift Sources Package.swift -newer "$(HUB_PROGRAMS)/notices" -type f -print -quit); \
	[ -z "$$newer" ] || { echo "$$newer is newer than what is built in $(HUB_PROGRAMS); run \"make build-hub\" first" >&2; exit 66; }

# A build of a package has its dependencies already and sets SETUP to nothing.
SETUP ?= .ci/setup
setup:
	@$(SETUP)

setup-lint setup-tests setup-deb setup-release setup-hub setup-docs: setup-%:
	@$(if $(SETUP),$(SETUP) $*)

clean:
	swift package clean
