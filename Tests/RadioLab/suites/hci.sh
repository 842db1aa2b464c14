# Beacons packet by packet from a real kernel, with bluetoothd and without.
# needs: beaconmond beaconmon
# limit: 150

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0

state() { as root beaconmon status --json | grep -o "\"sourceState\":\"$1\""; }
door() { as root beaconmon status | grep -E "^door +$1 "; }
events() { [ "$(grep -c "\"event\":\"$1\"" monitor.log)" -eq "$2" ]; }
heard() { [ "$(as root beaconmon status --json | grep -o '"iBeacons":[0-9]*' | cut -d: -f2)" -ge "$1" ]; }

plug 0
hciconfig hci0 up
cat >beaconmon.toml <<'END'
source = "hci"

[[region]]
identifier = "door"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
exit-delay = "8s"
END
as beaconmon beaconmond --config beaconmon.toml >refused.log 2>&1
check "without the capability it says which one and how to grant it" grep -E 'CAP_NET_RAW.*(setcap|AmbientCapabilities|systemctl)' refused.log

CAPABILITIES=+net_raw,+net_admin start daemon as beaconmon beaconmond --config beaconmon.toml
check "with its two capabilities it scans by itself" eventually 20 state scanning
check "passively" eventually 10 stat_is scanning passive
start monitor as root beaconmon monitor --json
sleep 1
radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -65
check "a beacon enters its region" eventually 10 events enter 1
check "every report is heard" eventually 15 heard 100
radio unplug
check "without a receiver the region is unknown" eventually 10 door unknown
radio replug other
check "after replugging it is inside again" eventually 25 eval 'as root beaconmon status; door inside'
check "without an exit or a second enter" eval "events exit 0 && events enter 1"

start_bluetoothd
check "a bluetoothd that comes takes over the scan" eventually 25 stat_is scanning active
check "and the region stays inside" throughout 10 door inside
radio stop door
check "a beacon that falls silent exits, once" eventually 25 events exit 1
check "and the daemon is still there" running daemon
