# Regions without a distance, through the advertisement monitor of a real BlueZ alone: a passive scan, and no exit of a present beacon.
# needs: beaconmond beaconmon
# limit: 180

. faults.sh

passive() { stat_is scanning passive && stat_is filter-duplicates 0; }

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
hear bluez
check "presence is heard in a passive scan that filters no duplicates" eventually 20 eval 'hearing scanning && passive'
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
before=$(stat_of reported) heard_before=$(status_of iBeacons)
check "a still beacon stays" throughout 8 door inside
check "and every report of it is heard" eventually 10 heard $(($(stat_of reported) - before + heard_before))
check "somebody who ranges is told distances" eventually 20 eval "as root beaconmon range $uuid --once --json | grep '\"distance\"'"
check "and afterwards the scan is passive again" eventually 20 passive
unplugged
switched_off "power $(adapter_name) false" "power $(adapter_name) true"
bluetoothd_killed bluez
other_discovery
daemon_killed bluez
radio stop door
check "a beacon that falls silent exits, once" eventually 20 events exit 1
check "and the daemon is still there" running daemon
