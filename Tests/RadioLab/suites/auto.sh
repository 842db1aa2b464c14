# source = "auto": its choice with and without the capability, two adapters, and users that the bus refuses.
# needs: beaconmond beaconmon
# limit: 200

first=B0:EC:AC:00:00:00

shows() {
  as root beaconmon status >shown.log
  cat shown.log
  grep -qE -e "$1" shown.log
}
refused() {  # WHAT IT SAYS, COMMAND...
  local says=$1
  shift
  as bystander timeout 10 beaconmon "$@" >refused.log 2>&1
  echo "it says: $(cat refused.log)"
  grep -q -e "$says" refused.log
}
# daemon_with [CAPABILITIES]: starts another daemon.
daemon_with() {
  [ ! -e /run/lab/daemon ] || stop daemon
  CAPABILITIES=${1:-} start daemon as beaconmon beaconmond --config beaconmon.toml
}

plug 0
plug 1
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
eventually 10 adapter_is hci1 Powered true
second=$(adapter hci1 Address)
cat >beaconmon.toml <<END
source = "auto"

[[adapter]]
address = "$second"
rssi-offset = 10

[[adapter]]
address = "00:1A:7D:DA:71:13"

$(region door 2)
exit-delay = "8s"
learn-exit-delay = false

$till
END

daemon_with
check "without privileges auto is bluez" eventually 20 shows 'source +auto: bluez, scanning'
check "and says why" shows 'why .*CAP_NET_RAW.*setcap'
check "an adapter of the config that is not there is said to be gone" eval "shows '00:1A:7D:DA:71:13, gone' && shows 'it is not plugged in'"
check "a bystander is told which group to join" eval "refused 'to join the group' status && refused 'to join the group' monitor"
check "and who allows a look at the beacons" eval "refused 'privacy grant' range $uuid --once && refused 'privacy grant' scan --duration 2s"

daemon_with +net_raw
check "with CAP_NET_RAW auto is hci" eventually 20 shows 'source +auto: hci, scanning'
check "and says why" shows 'why +CAP_NET_RAW is available, .*bluetoothd keeps'
check "both adapters scan" eventually 10 eval "shows '$first hci0, scanning' && shows '$second hci1, scanning'"
start_monitor
advertise_door
RADIO=1 radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -70
check "a beacon enters its region, once" eventually 10 events enter 1
check "the adapter's offset makes it the stronger one" eventually 10 eval \
  "as root beaconmon range $uuid --once --json | grep -E '\"rssi\":-60.0'"
RADIO=1 radio unplug
check "an unplugged adapter is gone" eventually 10 shows "$second, gone"
check "the other goes on hearing" throughout 12 door inside
RADIO=1 radio replug other
check "it hears again under another name" eventually 20 shows "$second hci[2-9], scanning"
check "and has kept its offset" shows "$second .*RSSI \\+10.0 dB"
check "no region noticed" eval "events exit 0 && events enter 1"
stop bluetoothd
check "without bluetoothd and CAP_NET_ADMIN it says what is missing" eventually 20 shows 'switching the adapter on needs CAP_NET_ADMIN'
check "and that the adapter is off" shows "$first hci0, off"
start_bluetoothd
# bluetoothd switches adapters on when it starts, but not those that the kernel is still switching off for the previous one. An administrator would then.
scans_again() { adapter_is hci0 Powered true || power hci0 true; shows 'source +auto: hci, scanning'; }
check "a bluetoothd that comes back is used" eventually 25 scans_again
check "and the region is inside again, without an event" eval "eventually 10 door inside && events exit 0 && events enter 1"

daemon_with +net_raw,+net_admin
eventually 20 shows 'source +auto: hci, scanning'
stop bluetoothd
check "with both capabilities the adapters go on scanning by themselves" eventually 20 stat_is scanning passive
check "and are said to" eventually 10 shows "$first hci0, scanning"
check "why as well" shows 'why .*keeps the adapters scanning'
check "the daemon is still there" running daemon
