# Beacons packet by packet from a real kernel beside bluetoothd, and the faults of a radio.
# needs: beaconmond beaconmon
# limit: 240

. faults.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
hear hci "$till"
check "with CAP_NET_RAW it hears while bluetoothd discovers" eventually 20 eval 'hearing scanning && stat_is scanning active'
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
before=$(stat_of reported) heard_before=$(status_of iBeacons)
check "a still beacon stays" throughout 8 door inside
check "and every report of it is heard" eventually 10 heard $(($(stat_of reported) - before + heard_before))
every_fault hci
radio stop door
check "a beacon that falls silent exits, once" eventually 20 events exit 1
check "and the daemon is still there" running daemon
