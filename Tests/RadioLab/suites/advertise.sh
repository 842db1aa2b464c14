# This device as a beacon: two controllers of btvirt, of which one sends with our advertise and the other hears.
# needs: beaconmond beaconmon
# limit: 240

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0

heard() { as root beaconmon range "$uuid" --once --json | grep "\"major\":$1,\"minor\":$2"; }
advertised() { as root beaconmon status --json | grep -o "\"minor\":$1,\"measuredPower\":-62,\"state\":\"$2\""; }
advertise() { start sending as bystander beaconmon advertise "$uuid" "$@" --measured-power -62 --adapter "$sender"; }
refuses() {
  as bystander beaconmon advertise "$uuid" 1 7 >refused.log 2>&1
  echo "it ends with $? and says: $(cat refused.log)"
  grep -q "$1" refused.log
}

configure() {
  cat >beaconmon.toml <<END
source = "hci"

[[region]]
identifier = "door"
uuid = "$uuid"
$1
END
}

check "without bluetoothd it says so" refuses 'bluetoothd is not running; start it'

# Controllers of Bluetooth 4, as a Raspberry Pi has one: they have no extended advertising. Nothing is experimental.
start btvirt btvirt -L -l2
start_bluetoothd --debug=src/advertising.c
check "two controllers of btvirt appear" eventually 10 adapter_is hci1 Powered true
sender=$(adapter hci1 Address)
capture air
advertise 3 9
check "anybody may advertise, and is told what is sent" eventually 10 logged sending 'advertising e2c56db5.*/3/9'
check "from which adapter and since when" logged sending "by $sender since 20..-..-..T..:..:..Z"

# Its reports have no RSSI, and the kernel drops those as soon as a client's filter names one: so a scan without a filter, and HCI.
start discovering bluez hci0 discover-any
eventually 20 logged discovering 'discover-any done'
configure ""
CAPABILITIES=+net_raw,+net_admin start daemon as beaconmon beaconmond --config beaconmon.toml
eventually 10 bus_name org.beaconmon.Monitor1
check "the other controller hears it" eventually 20 heard 3 9
check "the packet is an iBeacon of -62 dBm" eventually 5 captured air 4c000215e2c56db5dffb48d2b060d0f5a71096e000030009c2
check "sent every 100 ms, by nobody who can be connected to" captured air 010620 0
check "while it advertises the adapter scans" eventually 10 adapter_is hci1 Discovering true
check "scan shows it to whom does not know the UUID" eventually 15 eval "as root beaconmon scan --duration 3s | grep '$uuid'"

stop sending
sleep 1
advertise 3 10
check "an adapter that scans cannot begin, and the reason is told" eventually 10 logged sending 'cannot begin to advertise while it scans'

configure "
[[advertise]]
uuid = \"$uuid\"
major = 4
minor = 11
measured-power = -62
adapter = \"$sender\""
kill -HUP "$(cat /run/lab/daemon)"
check "beaconmond pauses its scan for that moment" eventually 25 advertised 11 advertising
check "and is heard as a beacon" eventually 20 heard 4 11
check "and scans on" eventually 15 adapter_is hci1 Discovering true
killall -9 bluetoothd
check "without bluetoothd it waits" eventually 10 advertised 11 waiting
stop discovering KILL
start_bluetoothd
check "a new bluetoothd advertises it again" eventually 30 advertised 11 advertising
power hci1 false
check "an adapter without power sends nothing" eventually 10 advertised 11 waiting
power hci1 true
check "and power brings it back" eventually 20 advertised 11 advertising
check "within the daemon nothing went wrong" running daemon
