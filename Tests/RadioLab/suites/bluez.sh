# Real beacons through a real BlueZ with their RSSI, and the faults of a radio.
# needs: beaconmond beaconmon
# limit: 240

. faults.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
hear bluez "$till"
check "beaconmond hears through BlueZ without any privilege" eventually 20 hearing scanning
check "in an active scan that filters no duplicates" eval 'stat_is scanning active && stat_is filter-duplicates 0'
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
check "and is ranged" eventually 10 eval "as root beaconmon range $uuid --once --json | grep '\"minor\":2'"
check "a still beacon stays" throughout 8 door inside
every_fault bluez
radio stop door
check "a beacon that falls silent exits, once" eventually 20 events exit 1
check "and the daemon is still there" running daemon
