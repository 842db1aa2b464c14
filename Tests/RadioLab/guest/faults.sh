# The faults of a radio, for suites whose daemon is inside "door" by the controller of `plug 0`. Each fault checks
# status and log meanwhile. Reception must resume within 10 s of the end of the cause, and a beacon that never moved must cause
# no enter or exit.

# every_fault SOURCE: runs the faults of a machine with bluetoothd.
every_fault() {
  unplugged
  replugged_elsewhere
  blocked
  switched_off "power $(adapter_name) false" "power $(adapter_name) true"
  bluetoothd_killed "$1"
  bus_restarted
  other_discovery
  malformed_reports "$1"
  daemon_killed "$1"
}

# transcript TITLE: records the present output of the programs in transcript.log.
transcript() { { echo "# $1" && as root beaconmon status && echo; } >>transcript.log 2>&1; }

# cause NAME COMMAND...: starts a fault, to which the following checks belong.
cause() {
  fault=$1
  log_length=$(wc -l <daemon.log)
  shift
  "$@"
}

# meanwhile STATE PATTERN: checks the state of the adapter, and waits for a line in the log.
meanwhile() {
  check "$fault: the adapter is $1" eventually 15 health "$1"
  check "$fault: the region is unknown" eventually 5 door unknown
  check "$fault: the log tells it" eventually 5 tells "$2"
  transcript "$fault"
}

# The log since the start of the fault.
tells() {
  tail -n +$((log_length + 1)) daemon.log
  tail -n +$((log_length + 1)) daemon.log | grep -qE -e "$1"
}

# Marks the end of the fault.
cured() {
  local before
  before=$(status_of iBeacons)
  check "$fault: hearing again within 10 s" eventually 10 inside_since "${before:-0}"
  check "$fault: nobody entered or left" nobody_moved
  { echo "# $fault" && tail -n +$((log_length + 1)) daemon.log; } >>told.log
}

inside_since() { door inside && heard $(($1 + 1)); }
nobody_moved() { events exit 0 && events enter 1; }
adapter_name() { echo "hci$(stat_of index)"; }

unplugged() {
  cause "unplugged" radio unplug
  meanwhile gone 'B0:EC:AC:00:00:00 is gone'
  check "$fault: and so for longer than the exit delay" throughout 7 door unknown
  radio replug
  cured
}

replugged_elsewhere() {
  cause "replugged as another hciN" radio unplug
  eventually 10 health gone
  radio replug other
  eventually 5 stat_is index '[0-9]+'
  cured
}

blocked() {
  cause "blocked by rfkill" rfkill block bluetooth
  meanwhile blocked 'B0:EC:AC:00:00:00 is blocked'
  rfkill unblock bluetooth
  if running bluetoothd; then
    eventually 5 adapter_is "$(adapter_name)" Powered true || power "$(adapter_name)" true
  fi
  cured
}

# switched_off COMMAND COMMAND: switches the adapter off with the first command, and on again with the second.
switched_off() {
  cause "switched off by somebody" eval "$1"
  meanwhile off 'B0:EC:AC:00:00:00 is off'
  eval "$2"
  cured
}

# The source hci recovers by itself, also when the kernel ends the scan that bluetoothd left behind.
bluetoothd_killed() {
  cause "bluetoothd killed" stop bluetoothd KILL
  if [ "$1" = hci ]; then
    check "$fault: the adapter scans by itself" eventually 15 eval 'health scanning && stat_is scanning passive'
    check "$fault: the region stays inside" throughout 15 door inside
  else
    meanwhile gone 'bluetoothd is not running'
  fi
  start_bluetoothd
  cured
}

bus_restarted() {
  cause "the bus restarted" killall dbus-daemon
  eventually 5 lacks_bus
  rm -f /run/dbus/system_bus_socket
  dbus-daemon --system --fork --nopidfile
  # The daemon ends with the bus.
  ! [ -e /run/lab/bluetoothd ] || { wait "$(cat /run/lab/bluetoothd)"; start_bluetoothd; }
  eventually 20 bus_name org.beaconmon.Monitor1
  check "$fault: the log tells it" tells 'waiting for the bus'
  cured
}

lacks_name() { ! bus_name "$1"; }
lacks_bus() { ! killall -0 dbus-daemon; }

other_discovery() {
  # After bluetoothd was killed the kernel is busy for a while, for any program; more than 15 s beside builds.
  eventually 15 hearing scanning
  cause "another program's discovery" start other bluez "$(adapter_name)" discover
  check "$fault: it discovers" eventually 40 logged other 'discover done'
  check "$fault: the region stays inside" throughout 8 door inside
  stop other
  check "$fault: the region stays inside after its end" throughout 8 door inside
  cured
}

# malformed_reports SOURCE
malformed_reports() {
  count_door before
  cause "200 malformed reports a second" radio lie 200
  check "$fault: the region stays inside" throughout 8 door inside
  radio lie 0
  check "$fault: the log is silent" [ "$log_length" -eq "$(wc -l <daemon.log)" ]
  count_door after
  if [ "$1" = hci ]; then
    # Nine kinds of faults take turns. One contains a whole iBeacon before the fault, and three are not complete events.
    lied=$(counted after lied)
    check "$fault: not a good one is lost" equal "$(more iBeacons)" $(($(more reported) + $(lies 1)))
    check "$fault: the bad ones are counted" equal "$(more eventLength)" $(($(lies 2) + $(lies 3) + $(lies 4)))
  fi
  cured
}

# count_door NAME: records the sent and received counts at a moment without pending packets. The moment is short, or the beacon would exit.
count_door() {
  radio stop door
  # The last packet arrives within milliseconds. A longer pause would let the beacon exit.
  sleep 1
  { radio stats && as root beaconmon status --json; } >"/tmp/counts-$1"
  advertise_door
}

# counted NAME KEY: prints a count of the controller or of the daemon; 0 if it is absent.
counted() { sed -nE "s/.*(\"$2\":| $2=)([0-9]+).*/\2/p" "/tmp/counts-$1" | grep . || echo 0; }

# more KEY: prints the increase since the first count.
more() { echo $(($(counted after "$1") - $(counted before "$1"))); }

# lies KIND: prints how many of the sent faults were of this kind, from 0.
lies() { echo $(((lied - $1 + 8) / 9)); }

equal() {
  echo "$1 and $2"
  [ "$1" -eq "$2" ]
}

# daemon_killed SOURCE: kills the daemon while it scans.
daemon_killed() {
  cause "beaconmond killed" stop daemon KILL
  eventually 5 lacks_name org.beaconmon.Monitor1
  start_daemon "$1"
  eventually 10 bus_name org.beaconmon.Monitor1
  cured
}
