# A device without clients, with nothing in the air.
# limit: 480

boot_1() {
  packets
  plug_radio
  door_config | configure
  eventually 60 says 'scanning' beaconmon status
  # The state of the region is unknown until its exit delay has passed, which is an event.
  check "the region is outside" eventually 90 says 'door +outside' beaconmon status
  # Nothing is left to be written and sent.
  sleep 30
  check "the daemon has the watchdog of its unit" is beaconmond WatchdogUSec 3min
  wake_ups beaconmond >beaconmond.wakeups &
  wake_ups beaconmon-notifier >beaconmon-notifier.wakeups
  wait $!
  for unit in beaconmond beaconmon-notifier; do
    figure "wake-ups of the idle $unit after one of them, in just less than two minutes" "$(cat $unit.wakeups)" "" 1
  done
}

# wake_ups UNIT: prints how often it wakes up in the 118 s after a wake-up: once, if it is once a minute. Without such a beginning, the count would depend on the phase.
wake_ups() {
  local pid begin
  pid=$(pid_of "$1")
  begin=$(switches_of "$pid")
  for _ in $(seq 300); do
    # A look each 200 ms, for a minute, does not wake the program.
    sleep 0.2
    [ "$(switches_of "$pid")" = "$begin" ] || break
  done
  # The program goes to sleep again.
  sleep 1
  begin=$(switches_of "$pid")
  # The figure counts for this time.
  sleep 117
  echo $(($(switches_of "$pid") - begin))
}
