# The shortest suite, which `make test` runs: a device with the packages boots, hears a beacon and acts.
# limit: 180

boot_1() {
  check "the system boots without a failed unit" eventually 60 healthy
  check "the daemon started at the first attempt" is beaconmond NRestarts 0
  check "the notifier started at the first attempt" is beaconmon-notifier NRestarts 0
  packets
  plug_radio
  door_config '[[notifier.action]]' 'name = "broker"' 'mqtt = { host = "localhost", port = 1 }' | configure
  advertise_door
  check "the beacon enters" eventually 60 recorded enter 1
  check "the action runs" eventually 30 journal beaconmon-notifier 'TOLD enter door'
  check "AppArmor confines the daemon" confined beaconmond
  check "AppArmor confines the notifier" confined beaconmon-notifier
  check "AppArmor lets the notifier look up the address of a broker" eventually 20 journal beaconmon-notifier 'broker: not connected: Connection refused'
  check "a visitor may range after consent" eval 'beaconmon privacy grant visitor && eventually 20 as visitor beaconmon range $uuid --once'
  echo "figure memory of the daemon: $(memory_of beaconmond VmRSS) KiB" >&3
}
