# What a radio does to those who listen, fault by fault, for suites whose daemon is inside "door". Of each: what status says meanwhile, what
# the log says, that it is heard again within 10 s of the end of the cause, and that nobody enters or leaves who never moved.

# cause NAME COMMAND...: what follows is about this fault.
cause() {
  fault=$1
  log_length=$(wc -l <daemon.log)
  shift
  "$@"
}

# meanwhile STATE PATTERN: of the adapter, and of a line in the log.
meanwhile() {
  check "$fault: the adapter is $1" eventually 15 health "$1"
  check "$fault: the region is unknown" eventually 5 door unknown
  check "$fault: the log tells it" eventually 5 tells "$2"
}

# The log since the cause.
tells() {
  tail -n +$((log_length + 1)) daemon.log
  tail -n +$((log_length + 1)) daemon.log | grep -qE -e "$1"
}

# The cause is over.
cured() {
  local before
  before=$(status_of iBeacons)
  check "$fault: hearing again within 10 s" eventually 10 inside_since "${before:-0}"
  check "$fault: nobody entered or left" nobody_moved
}

inside_since() { heard $(($1 + 1)) && door inside; }
nobody_moved() { events exit 0 && events enter 1; }

restart_bus() {
  killall dbus-daemon
  eventually 5 lacks_bus
  rm -f /run/dbus/system_bus_socket
  dbus-daemon --system --fork --nopidfile
}

lacks_bus() { ! killall -0 dbus-daemon; }
