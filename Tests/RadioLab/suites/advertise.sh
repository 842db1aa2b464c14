# This device as a beacon: two controllers of btvirt, of which one sends with our advertise and the other receives.
# needs: beaconmond beaconmon
# limit: 180

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

check "without an adapter it says so" refuses 'there is no Bluetooth adapter; plug one in'

# Controllers of Bluetooth 4, as in a Raspberry Pi: without extended advertising, and without experimental features.
start btvirt btvirt -L -l2
check "without bluetoothd it says so" eventually 10 refuses 'bluetoothd is not running; start it'
start_bluetoothd --nodetach
check "two controllers of btvirt appear" eventually 10 adapter_is hci1 Powered true
sender=$(adapter hci1 Address)
capture air
start speaking bluez hci0 advertise
eventually 10 logged speaking 'advertise done'
advertise 3 9
check "anybody may advertise, and is told what is sent" eventually 10 logged sending "advertising $uuid/3/9"
check "from which adapter and since when" logged sending "by $sender since 20..-..-.. ..:..:..Z"

configure ""
CAPABILITIES=+net_raw,+net_admin start daemon as beaconmon beaconmond --config beaconmon.toml
eventually 10 bus_name org.beaconmon.Monitor1
check "the other controller hears it" eventually 20 heard 3 9
check "the packet is an iBeacon of -62 dBm" eventually 5 captured air "4c000215$(echo $uuid | tr -d -)00030009c2"
check "sent every 100 to 150 ms, as is told, and nobody can connect to it" eval 'logged sending "every 100ms to 150ms" && captured air 06200fa000f00003'
check "while it advertises the adapter scans" eventually 10 adapter_is hci1 Discovering true
check "and hears the other" eventually 20 heard 1 2
# btvirt reports a beacon when a scan begins, which it does every 10 s.
start scan-json as root beaconmon scan --duration 12s --json
check "scan shows both to whom does not know the UUID" eval 'as root beaconmon scan --duration 12s | tee scan.log | grep -A 1 $uuid | grep -E "1/2 3/9|3/9 1/2"'
check "and how to go on" grep "next: beaconmon range $uuid" scan.log
check "and its JSON has them" eventually 5 logged scan-json '"uuidCount":1,"beaconCount":2'

# The kernel restarts its scan every 10 s, and may do so at this moment, so the advertisement is tried twice.
refused_while_scanning() {
  stop sending
  # bluetoothd removes the advertisement of a client that died within milliseconds.
  sleep 1
  advertise 3 10
  eventually 5 logged sending 'cannot start advertising while it scans'
}
check "an adapter that scans cannot begin, and the reason is told" eventually 20 refused_while_scanning

configure "
[[advertise]]
uuid = \"$uuid\"
major = 4
minor = 11
measured-power = -62
adapter = \"$sender\""
killall -HUP beaconmond
check "beaconmond pauses its scan for that moment" eventually 25 advertised 11 advertising
check "and is heard as a beacon" eventually 20 heard 4 11
check "and scans on" eventually 15 adapter_is hci1 Discovering true
power hci1 false
check "an adapter without power sends nothing" eventually 10 advertised 11 waiting
power hci1 true
check "and power brings it back" eventually 20 advertised 11 advertising
check "and it is heard again" eventually 20 heard 4 11

# Controllers of Bluetooth 5 with extended advertising, where each advertisement has its own address.
stop btvirt KILL
check "an adapter that was unplugged is waited for" eventually 10 advertised 11 waiting
start btvirt btvirt -l2
check "and found when it is another hciN" eventually 30 advertised 11 advertising
check "with extended advertising a scan is in nobody's way" eventually 20 adapter_is hci1 Discovering true
advertise 3 12
check "so another beacon can begin" eventually 10 logged sending "advertising $uuid/3/12"
check "and that BlueZ slows it down is told" logged sending 'an interval of 1280ms; for others, start bluetoothd with --experimental'
check "and both are heard" eventually 20 eval 'as root beaconmon scan --duration 12s | grep -E "3/12 4/11|4/11 3/12"'
killall -9 bluetoothd
check "without bluetoothd it waits" eventually 10 advertised 11 waiting
start_bluetoothd
check "a new bluetoothd advertises it again" eventually 30 advertised 11 advertising
check "and an experimental one every 100 ms" eventually 5 captured air 1000a00000a00000
check "and within the daemon nothing went wrong" pidof beaconmond
