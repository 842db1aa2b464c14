# Real beacons through a real BlueZ, and what a radio does to those who listen.
# needs: beaconmond beaconmon
# limit: 240

. faults.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
hear bluez
check "beaconmond hears through BlueZ without any privilege" eventually 20 hearing scanning
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
check "and is ranged" eventually 10 eval "as root beaconmon range $uuid --once --json | grep '\"minor\":2'"
check "a still beacon stays" throughout 12 door inside

cause unplugged radio unplug
meanwhile gone 'B0:EC:AC:00:00:00 is gone'
check "unplugged: the region stays unknown for longer than its exit delay" throughout 10 door unknown
radio replug
cured
cause "unplugged, replugged as another hciN" radio unplug
eventually 10 health gone
radio replug other
cured

cause "blocked by rfkill" rfkill block bluetooth
meanwhile blocked 'B0:EC:AC:00:00:00 is blocked'
rfkill unblock bluetooth
adapter_name=$(basename /sys/class/bluetooth/hci*)
eventually 5 adapter_is "$adapter_name" Powered true || power "$adapter_name" true
cured

cause "switched off by somebody" power "$adapter_name" false
meanwhile off 'B0:EC:AC:00:00:00 is off'
power "$adapter_name" true
cured

cause "bluetoothd killed" stop bluetoothd KILL
meanwhile gone 'bluetoothd is not running'
start_bluetoothd
cured

cause "the bus restarted" restart_bus
stop bluetoothd
start_bluetoothd
eventually 20 bus_name org.beaconmon.Monitor1
cured

cause "somebody else's discovery" start other bluez "$adapter_name" discover
eventually 10 logged other 'discover done'
stop other
cured

cause "malformed reports" radio lie 200
before=$(stat_of reported)
sleep 10
radio lie 0
cured

radio stop door
check "a beacon that falls silent exits, once" eventually 20 events exit 1
check "and the daemon is still there" running daemon
