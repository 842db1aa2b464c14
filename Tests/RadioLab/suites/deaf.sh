# A controller that obeys and receives nothing until it is reset: the daemon switches it off and on by itself, once.
# soak
# needs: beaconmond beaconmon
# limit: 200

. faults.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
exit_delay=30s
hear bluez "$till"
eventually 20 hearing scanning
advertise_door
for minor in 11 12 13; do beacon $minor 200 -70; done
check "a beacon enters its region" eventually 10 events enter 1
# The watchdog must have received reports before it can miss them.
sleep 33
start watching bluez hci0
cause "the controller is deaf" radio deaf
before=$(status_of iBeacons)
check "$fault: the adapter is silent before the exit delay has passed" eventually 30 eval 'tells "is silent"'
check "$fault: it is switched off" eventually 10 logged watching 'Powered=0'
check "$fault: and on" eventually 10 logged watching 'Powered=1'
check "$fault: hearing again within 10 s" eventually 10 inside_since "$before"
check "$fault: nobody entered or left" nobody_moved
check "$fault: once" logged watching 'Powered=0' 1
