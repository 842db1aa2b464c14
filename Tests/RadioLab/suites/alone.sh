# Beacons packet by packet on a machine without bluetoothd, in a passive scan of the daemon, and the faults of a radio.
# needs: beaconmond beaconmon
# limit: 240

. faults.sh

# The effect of hcitool's end of its lescan, whichever program began the scan: LE Set Scan Enable, off.
other_scan() {
  before=$(stat_of commands)
  cause "another program ends the scan" hcitool -i "$(adapter_name)" cmd 0x08 0x000c 00 00
  check "$fault: it is begun again" eventually 10 eval "stat_at_least commands $((before + 4)) && stat_is scanning passive"
  check "$fault: the region stays inside" throughout 8 door inside
  cured
}

plug 0
hciconfig hci0 up
echo 'source = "hci"' >refused.toml
as beaconmon beaconmond --config refused.toml >refused.log 2>&1
check "without the capability it says which one and how to grant it" grep -E 'CAP_NET_RAW.*(setcap|AmbientCapabilities|systemctl)' refused.log
hear hci
check "with its two capabilities it scans by itself" eventually 20 eval 'hearing scanning && stat_is scanning passive'
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
check "a still beacon stays" throughout 8 door inside
unplugged
replugged_elsewhere
blocked
switched_off 'hciconfig "$(adapter_name)" down' 'hciconfig "$(adapter_name)" up'
bus_restarted
other_scan
malformed_reports hci
daemon_killed hci
cause "bluetoothd comes" start_bluetoothd
cured
cause "bluetoothd goes" stop bluetoothd
cured
radio stop door
check "a beacon that falls silent exits, once" eventually 25 events exit 1
check "and the daemon is still there" running daemon
