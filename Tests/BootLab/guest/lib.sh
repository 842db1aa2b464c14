# The functions of the suites: those of the radio lab, and those for a machine with systemd. A suite is sourced after this file, in /run/lab.
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/run/lab:$PATH
pids=/run/lab-programs
. ./radio-lib.sh
# A command that asks the daemon takes half a second of an emulated processor, which other machines need.
poll=1

# Users

# as USER COMMAND...: with the present groups of the user.
as() {
  local name=$1
  shift
  runuser -u "$name" -- "$@"
}

# user NAME COMMAND...: the same with the user's service manager and session bus.
user() {
  local name=$1
  shift
  runuser -u "$name" -- env "XDG_RUNTIME_DIR=/run/user/$(id -u "$name")" "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u "$name")/bus" "HOME=/home/$name" "$@"
}

# Units

# is UNIT PROPERTY VALUE
is() {
  local value
  value=$(systemctl show -P "$2" "$1")
  echo "$2 of $1 is $value"
  [ "$value" = "$3" ]
}
active() { is "$1" ActiveState active; }
pid_of() { systemctl show -P MainPID "$1"; }

# restarted UNIT PID: it runs as another process than PID.
restarted() {
  echo "$1 runs as $(pid_of "$1")"
  [ "$(pid_of "$1")" != "$2" ] && [ "$(pid_of "$1")" != 0 ] && active "$1"
}

# healthy: the boot is complete and no unit has failed.
healthy() {
  echo "$(systemctl is-system-running) $(systemctl --failed --no-legend | tr '\n' ' ')"
  [ "$(systemctl is-system-running)" = running ]
}

# confined UNIT: AppArmor enforces its profile.
confined() {
  cat "/proc/$(pid_of "$1")/attr/current"
  grep -qx "$1 (enforce)" "/proc/$(pid_of "$1")/attr/current"
}

# drop_in UNIT NAME: takes a drop-in from standard input.
drop_in() {
  mkdir -p "/etc/systemd/system/$1.service.d"
  cat >"/etc/systemd/system/$1.service.d/$2.conf"
  systemctl daemon-reload
}

# Logs

# journal UNIT PATTERN [COUNT]: this boot's log of the unit has at least COUNT (1) matching lines.
journal() {
  local count
  count=$(journalctl -b -q --no-pager -o cat -u "$1" | grep -cE -e "$2")
  echo "$count lines of $1 match $2"
  [ "$count" -ge "${3:-1}" ]
}
no_journal() { ! journalctl -b -q --no-pager -o cat -u "$1" | grep -E -m 1 -e "$2"; }

# says PATTERN COMMAND...: the output of the command has a matching line.
says() {
  local pattern=$1 output
  shift
  output=$("$@" 2>&1)
  echo "$output"
  echo "$output" | grep -qE -e "$pattern"
}

# The daemon

# configure: takes the config from standard input, and starts the services with it.
configure() {
  cat >/etc/beaconmon/beaconmon.toml
  systemctl restart beaconmond beaconmon-notifier
}

# door_config [TOML...]: prints a config with the region "door", the lines of TOML, and an action that logs "TOLD EVENT REGION".
door_config() {
  printf '%s\n' 'source = "auto"' "$(region door 2)" "$@" '[[notifier.action]]' 'name = "told"' 'log = "TOLD {event} {region}"'
}

# An action for `web_server`.
to_web_server='[[notifier.action]]
name = "shop"
webhook = { url = "http://127.0.0.1:8080/events" }'

# packets: lets the daemon read packets, so that a test depends on no other program. Takes effect with the next start.
packets() {
  install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/hci.conf
  systemctl daemon-reload
}

# plug_radio: loads the driver and plugs a controller in. It reports every advertisement, although bluetoothd asks for one in a scan period; the radio lab has the
# controllers that obey.
plug_radio() {
  modprobe hci_vhci
  plug 0 lenient
}

# experimental_bluetooth: lets bluetoothd serve advertisement monitors, so that scans have no pauses.
experimental_bluetooth() {
  drop_in bluetooth lab <<'END'
[Service]
ExecStart=
ExecStart=/usr/libexec/bluetooth/bluetoothd --experimental
END
}

# recorded EVENT COUNT [REGION]: the daemon's journal has exactly COUNT of them.
recorded() {
  local count
  count=$(beaconmon events --json ${3:+--region "$3"} | grep -c "\"event\":\"$1\"")
  echo "$count events $1"
  [ "$count" -eq "$2" ]
}

# kept_events: prints the identities of all events in the journal, a line each.
kept_events() { beaconmon events --json | sed -nE 's/.*"sequence":([0-9]+).*"event":"([a-z]+)".*/\1 \2/p'; }

# web_server LOG: receives webhooks at port 8080 and writes each, with its id, as a line to LOG.
web_server() {
  start hooks python3 -S ./web-server "$1"
  eventually 60 grep -q ready hooks.log
}

# Figures of a service

# exposure UNIT LIMIT: 0 is the best value of `systemd-analyze security`, 10 the worst.
exposure() {
  figure "exposure of $1" "$(systemd-analyze security --no-pager "$1.service" | sed -nE 's/.*Overall exposure level for [^:]*: ([0-9.]+).*/\1/p')" "of 10" "$2"
}

# memory_of UNIT FIELD: prints a field of its status in KiB, such as VmRSS, or RssAnon without the pages of files.
memory_of() { sed -n "s/^$2:[^0-9]*\([0-9]*\).*/\1/p" "/proc/$(pid_of "$1")/status"; }
switches_of() { awk '/^voluntary_ctxt_switches/ { sum += $2 } END { print sum }' "/proc/$1"/task/*/status; }

# The end of each boot

# A suite lists here, as a pattern, what AppArmor may deny.
expected_denials='^$'

# finish: checks that nothing failed in all that.
finish() {
  check "in the end no unit has failed" eventually 30 healthy
  check "AppArmor denied nothing" nothing_denied
  check "the log has no address and no identity of the devices in the air" nothing_revealed
}
nothing_denied() { ! journalctl -b -q --no-pager -o cat _TRANSPORT=kernel _TRANSPORT=audit + _AUDIT_TYPE_NAME=AVC | grep 'apparmor="DENIED"' | grep -Ev -e "$expected_denials" | grep .; }
# Any address but those of the lab's controllers, also as BlueZ writes it in paths, and the payload of the phones of `faults`.
nothing_revealed() {
  ! journalctl -b -q --no-pager -o cat -u 'beaconmon*' | grep -ioE '([0-9a-f]{2}[:_]){5}[0-9a-f]{2}|4c0010050b1c6f0e' | grep -ivE '^B0.EC.AC.' | grep .
}
