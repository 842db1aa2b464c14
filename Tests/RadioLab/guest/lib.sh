# The functions of the suites. A suite is sourced after this file, in /lab/files, whose contents come back to the host.

# Results

# check NAME COMMAND...: passes if the command succeeds; otherwise the last line of its output is the reason. times.log has times and durations.
check() {
  local name=$1 begin
  shift
  begin=$(uptime_cs)
  if "$@" >/tmp/check 2>&1; then
    echo "ok $name" >&3
  else
    echo "not ok $name: $* failed: $(tail -n 1 /tmp/check | cut -c 1-300)" >&3
    echo "--- $name: $*" >&2
    cat /tmp/check >&2
  fi
  echo "$((begin / 100)) s +$((($(uptime_cs) - begin) / 10))00 ms $name" >>times.log
}

# skip NAME WHY
skip() { echo "skip $1: $2" >&3; }

# figure NAME VALUE UNIT LIMIT: prints the value, and checks that it is at most LIMIT.
figure() {
  echo "figure $1: $2 $3, at most $4" >&3
  check "$1 is at most $4 $3" at_most "$2" "$4"
}
at_most() {
  echo "it is $1"
  awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value != "" && value <= limit) }'
}

# Waiting, always bounded

# eventually SECONDS COMMAND...: tries every $poll seconds (0.2) until the command succeeds, or fails with its last output.
eventually() {
  local end=$(($(uptime_cs) + $1 * ${patience:-1} * 100))
  shift
  while ! "$@" >/tmp/eventually 2>&1; do
    if [ "$(uptime_cs)" -ge "$end" ]; then
      cat /tmp/eventually
      return 1
    fi
    # Polls until the deadline.
    sleep "${poll:-0.2}"
  done
}

# throughout SECONDS COMMAND...: fails as soon as the command does.
throughout() {
  local end=$(($(uptime_cs) + $1 * 100))
  shift
  while [ "$(uptime_cs)" -lt "$end" ]; do
    "$@" || return 1
    # The interval is short enough, and leaves the processor to the machines beside this one.
    sleep 1
  done
}

# Hundredths of seconds since the machine started.
uptime_cs() {
  local up idle
  read -r up idle </proc/uptime
  echo "${up%.*}${up#*.}"
}

# Programs

# start NAME COMMAND...: runs a program in the background; its output goes to NAME.log, and its number to the folder $pids.
pids=${pids:-/run/lab}
start() {
  local name=$1
  shift
  "$@" >>"$name.log" 2>&1 3>&- &
  echo $! >"$pids/$name"
}

# stop NAME [SIGNAL]: ends it and waits until it has ended.
stop() {
  local pid
  read -r pid <"$pids/$1" || return 1
  kill "-${2:-TERM}" "$pid"
  wait "$pid" 2>/dev/null
  rm "$pids/$1"
}

running() { kill -0 "$(cat "$pids/$1")"; }

# logged NAME PATTERN [COUNT]: the program wrote at least COUNT (1) matching lines.
logged() {
  local count
  count=$(grep -cE -e "$2" "$1.log")
  echo "$count lines of $1.log match $2; it ends: $(tail -n 1 "$1.log")"
  [ "$count" -ge "${3:-1}" ]
}

# Radios

# plug NUMBER [extended] [lenient]: makes a controller and waits until the kernel has it.
plug() {
  start "controller-$1" controller serve "$@"
  eventually 10 [ -e "/run/controller-$1" ]
  RADIO=$1 eventually 10 stat_is index '[0-9]+'
}

# radio REQUEST...: sends a request to controller $RADIO (0); `radio` alone lists the requests.
radio() { controller tell "${RADIO:-0}" "$@"; }

# stat NAME: prints one of the controller's counts.
stat_of() { radio stats | tr ' ' '\n' | sed -n "s/^$1=//p"; }

stat_is() {
  echo "$1 is $(stat_of "$1")"
  stat_of "$1" | grep -qxE "$2"
}

stat_at_least() {
  echo "$1 is $(stat_of "$1")"
  [ "$(stat_of "$1")" -ge "$2" ]
}

# frame UUID MAJOR MINOR POWER: the advertising data of an iBeacon, in hexadecimal.
frame() { printf '0201061aff4c000215%s%04x%04x%02x\n' "$(echo "$1" | tr -d -)" "$2" "$3" $(($4 & 255)); }

# capture NAME: records every HCI packet to NAME.btsnoop. btmon also decodes packets, so above some 500 packets a second it loses some.
capture() {
  start "$1" sh -c 'exec btmon -w "$0" >/dev/null' "$1.btsnoop"
  eventually 10 [ -s "$1.btsnoop" ]
}

# captured NAME OCTETS [COUNT]: the capture contains these octets at least COUNT (1) times.
captured() {
  local count
  count=$(occurrences "$1" "$2")
  echo "$count times in $1.btsnoop"
  [ "$count" -ge "${3:-1}" ]
}

occurrences() { hexdump -v -e '1/1 "%02x"' "$1.btsnoop" | grep -o "$2" | wc -l; }

# BlueZ

start_bluetoothd() {
  start bluetoothd /usr/libexec/bluetooth/bluetoothd --nodetach "${@:---experimental}"
  eventually 20 bus_name org.bluez
}

bus_name() { dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner "string:$1"; }

# adapter hciN PROPERTY: prints its value.
adapter() {
  dbus-send --system --print-reply=literal --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Get \
    string:org.bluez.Adapter1 "string:$2" | sed 's/.* //'
}

adapter_is() {
  echo "$2 of $1 is $(adapter "$1" "$2")"
  [ "$(adapter "$1" "$2")" = "$3" ]
}

# power hciN true|false
power() {
  dbus-send --system --print-reply --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Set \
    string:org.bluez.Adapter1 string:Powered "variant:boolean:$2"
}

# The daemon, and a beacon at the door that never moves

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0

# hear SOURCE [TOML]: starts the daemon with the needs of that source, a region "door" with $exit_delay (6s) and further config, and writes its
# events to monitor.log.
hear() {
  {
    echo "source = \"$1\""
    region door 2
    echo "exit-delay = \"${exit_delay:-6s}\""
    echo "${2:-}"
  } >beaconmon.toml
  start_daemon "$1"
  eventually 20 bus_name org.beaconmon.Monitor1
  start_monitor
}

# start_monitor: writes its output to monitor.log. It receives events as soon as it is on the bus, or a moment later.
start_monitor() {
  local before
  before=$(bus_names)
  start monitor as root beaconmon monitor --json
  eventually 10 eval "[ \$(bus_names) -gt $before ]"
  # A few calls to the bus, of milliseconds each, lie between its connection and its match rules.
  sleep 1
}

bus_names() { dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames | grep -c '":1\.'; }

# region IDENTIFIER MINOR: prints a region for a config.
region() { printf '[[region]]\nidentifier = "%s"\nuuid = "%s"\nmajor = 1\nminor = %d\n' "$1" $uuid "$2"; }

# Prints a table for a config that makes the daemon measure distances.
till='[[region]]
identifier = "till"
uuid = "00000000-0000-0000-0000-000000000001"
within = 2.0'

start_daemon() {
  case $1 in
    hci) CAPABILITIES=+net_raw,+net_admin start daemon as beaconmon beaconmond --config beaconmon.toml ;;
    *) start daemon as beaconmon beaconmond --config beaconmon.toml ;;
  esac
}

advertise_door() { radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -65; }

# status_of KEY: prints its value in the status, of the first object that has it.
status_of() { as root beaconmon status --json | grep -o "\"$1\":[^,}]*" | head -n 1 | sed 's/^[^:]*://; s/"//g'; }

# hearing STATE: checks the state of the source. health STATE: checks the state of the controller of `plug 0`.
hearing() { [ "$(status_of sourceState)" = "$1" ]; }
health() {
  as root beaconmon status --json | grep -o '"address":"B0:EC:AC:00:00:00"[^}]*}' >/tmp/health
  cat /tmp/health
  grep -q "\"state\":\"$1\"" /tmp/health
}

# door STATE: checks the state of the region over the bus, for half of the cost of a status.
door() {
  dbus-send --system --print-reply=literal --dest=org.beaconmon.Monitor1 /org/beaconmon/Monitor1/region/door \
    org.freedesktop.DBus.Properties.Get string:org.beaconmon.Monitor1.Region string:State | grep -w "$1"
}

# events KIND COUNT: checks the number of events since the start of the suite.
events() {
  echo "$(grep -c "\"event\":\"$1\"" monitor.log) events $1: $(tail -n 1 monitor.log)"
  [ "$(grep -c "\"event\":\"$1\"" monitor.log)" -eq "$2" ]
}

# beacon MINOR INTERVAL RSSI: adds a beacon that never moves.
beacon() { radio advertise "beacon$1" "$(printf 'C0:00:00:00:01:%02X' "$1")" "$(frame $uuid 1 "$1" -59)" "$2" "$3"; }

# memory KIND: prints the resident memory of the daemon in KiB: RssAnon is its own, VmRSS contains pages of files, which come and go (decision 68).
memory() { sed -n "s/^$1:[^0-9]*\([0-9]*\).*/\1/p" "/proc/$(cat /run/lab/daemon)/status"; }

# heard COUNT: checks that the daemon has received COUNT iBeacons since its start.
heard() {
  local count
  count=$(status_of iBeacons)
  echo "$count iBeacons"
  [ "$count" -ge "$1" ]
}
