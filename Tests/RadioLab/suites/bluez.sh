# Real beacons through a real BlueZ, and what a radio does to those who listen.
# needs: beaconmond beaconmon
# limit: 150

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0

state() { as root beaconmon status --json | grep -o "\"sourceState\":\"$1\""; }
door() { as root beaconmon status | grep -E "^door +$1 "; }
events() { [ "$(grep -c "\"event\":\"$1\"" monitor.log)" -eq "$2" ]; }

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
cat >beaconmon.toml <<'END'
source = "bluez"

[[region]]
identifier = "door"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
exit-delay = "8s"
END
start daemon as beaconmon beaconmond --config beaconmon.toml
check "beaconmond hears through BlueZ without any privilege" eventually 20 state scanning
start monitor as root beaconmon monitor --json
sleep 1
radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -65
check "a beacon enters its region" eventually 10 events enter 1
check "and is ranged" eventually 10 eval "as root beaconmon range $uuid --once --json | grep '\"minor\":2'"
check "status names the adapter" eval "as root beaconmon status --json | grep B0:EC:AC:00:00:00"
check "a still beacon stays" throughout 12 door inside

radio unplug
check "without a receiver the region is unknown" eventually 10 door unknown
check "and so for longer than its exit delay" throughout 10 door unknown
radio replug other
check "after replugging it is inside again" eventually 20 door inside
check "without an exit or a second enter" eval "events exit 0 && events enter 1"

killall -9 bluetoothd
check "without bluetoothd the region is unknown" eventually 10 door unknown
start_bluetoothd
check "a new bluetoothd is heard through" eventually 25 door inside
check "again without an exit or an enter" eval "events exit 0 && events enter 1"

radio stop door
check "a beacon that falls silent exits, once" eventually 20 events exit 1
check "within the daemon nothing went wrong" running daemon
