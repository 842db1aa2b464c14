# A device without clients, with nothing in the air: with packets, through bluetoothd, and through bluetoothd with its monitor.
# limit: 1500

boot_1() {
  packets
  plug_radio
  door_config | configure
  is_idle "packets" 'auto: hci, scanning'
  check "the daemon has the watchdog of its unit" is beaconmond WatchdogUSec 3min
  rm /etc/systemd/system/beaconmond.service.d/hci.conf
  systemctl daemon-reload
  systemctl restart beaconmond
  is_idle "bluetoothd" 'auto: bluez, scanning'
  experimental_bluetooth
  systemctl restart bluetooth
  systemctl restart beaconmond
  is_idle "bluetoothd with --experimental" 'auto: bluez, scanning'
}

# is_idle BACKEND STATUS: measures the daemon and the notifier once the status is this one and the region is outside.
is_idle() {
  eventually 60 says "$2" beaconmon status
  # The state of the region is unknown until its exit delay has passed, which is an event.
  check "with $1 the region is outside" eventually 90 says 'door +outside' beaconmon status
  # Nothing is left to be written and sent.
  sleep 30
  wake_ups beaconmond >beaconmond.wakeups &
  wake_ups beaconmon-notifier >beaconmon-notifier.wakeups
  wait $!
  for unit in beaconmond beaconmon-notifier; do
    figure "wake-ups of the idle $unit with $1 after one of them, in just less than two minutes" "$(cat $unit.wakeups)" "" 1
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
