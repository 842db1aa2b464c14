# The share of packets received through a real BlueZ: from a strict controller, with the monitor and without, and in a crowd.
# soak
# needs: beaconmond beaconmon
# limit: 400

. load.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
hear bluez "$(twenty)
$till"
check "it scans" eventually 20 hearing scanning
check "of ten beacons ten times a second at least 95 % is heard" share 95 60
crowd 780 13 60
stop daemon
stop bluetoothd
start_bluetoothd --compat
eventually 10 adapter_is hci0 Powered true
start_daemon bluez
check "without the monitor it scans" eventually 20 hearing scanning
check "and status says what is lost" eval 'as root beaconmon status | grep "only once in 10 s"'
share 0 30
