# A device without clients, with nothing in the air.
# limit: 480

boot_1() {
  packets
  plug_radio
  configure <<'END'
source = "auto"
[[region]]
identifier = "door"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
[[notifier.action]]
log = "{event} {region}"
END
  eventually 60 says 'scanning' beaconmon status
  # Starts settle, and bluetoothd's first scan with them.
  sleep 15
  local daemon notifier seconds=110
  daemon=$(switches_of beaconmond) notifier=$(switches_of beaconmon-notifier)
  # The figure counts for this time.
  sleep $seconds
  daemon=$(($(switches_of beaconmond) - daemon)) notifier=$(($(switches_of beaconmon-notifier) - notifier))
  if is beaconmond WatchdogUSec 3min; then
    figure "wake-ups of the idle daemon in $seconds s" "$daemon" "" 2
    figure "wake-ups of the idle notifier in $seconds s" "$notifier" "" 2
  else
    echo "figure wake-ups of the idle daemon in $seconds s: $daemon" >&3
    echo "figure wake-ups of the idle notifier in $seconds s: $notifier" >&3
    skip "the programs wake up at most once a minute" "the units have a watchdog of $(systemctl show -P WatchdogUSec beaconmond)"
  fi
}
