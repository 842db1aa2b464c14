# The lab itself: our controller behaves as a strict one, and BlueZ as expected.
# limit: 150

beacon=C0:00:00:00:00:01
beacon_octets=0100000000c0
uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0
first=$(frame $uuid 1 2 -59)
second=$(frame $uuid 1 3 -59)
third=$(frame $uuid 1 4 -59)

# The octets of a whole event, from Core Specification Vol 4 Part E 7.7.65.2: one report of ADV_NONCONN_IND from a random address.
legacy_event() { echo "043e2a02010301${beacon_octets}1e$1$2"; }
# And from 7.7.65.13: the same PDU as an extended report, on LE 1M without a set, transmit power, period or direct address.
extended_event() { echo "043e380d01100001${beacon_octets}0100ff7f${2}0000000000000000001e$1"; }

discovers() { eventually 10 stat_is scanning active; }

# btmon's records do not carry the packet type.
packet() { echo "${1#04}"; }

check "a controller appears" plug 0
check "bluetoothd starts" start_bluetoothd
check "bluetoothd sees the controller" eventually 10 adapter_is hci0 Address B0:EC:AC:00:00:00
check "bluetoothd powers it on" eventually 10 adapter_is hci0 Powered true
check "the controller knows every command of the kernel" stat_is unknown-commands 0
capture air

start discovery bluez hci0 discover
# The first start of Python in a virtual machine can take longer than the answer of bluetoothd.
check "a client calls StartDiscovery" eventually 60 logged discovery 'discover done'
check "StartDiscovery scans actively" discovers
check "and the kernel asks the controller to filter duplicates" stat_is filter-duplicates 1
radio report $beacon "$first" -71
check "one report arrives with exact octets and RSSI" eventually 5 captured air "$(packet "$(legacy_event "$first" b9)")"
check "and on D-Bus" eventually 5 logged discovery 'C0_00_00_00_00_01 rssi=-71 manufacturer=004c:0215'
radio report $beacon - -71 connectable
check "a connectable advertisement arrives" eventually 5 captured air "3e0c02010001${beacon_octets}00b9"
check "with the answer to the scan request" eventually 5 captured air "3e0c02010401${beacon_octets}00b9"
radio advertise still $beacon "$second" 50 -60
check "a strict controller holds duplicates back" eventually 5 stat_at_least duplicates 20
check "and reports the first" [ "$(occurrences air "${beacon_octets}1e$second")" -le 2 ]
radio duplicates lenient
check "a lenient one reports all" eventually 5 stat_at_least reported 20
radio duplicates strict
radio stop still
stop discovery
check "the end of the client ends the scan" eventually 15 stat_is scanning 'off|passive'

start monitor bluez hci0 monitor discover
check "an AdvertisementMonitor first, then StartDiscovery" eventually 10 logged monitor 'discover done'
check "makes the kernel take duplicates" eventually 10 stat_is filter-duplicates 0
check "while it scans actively" discovers
before=$(stat_of reported)
radio advertise still $beacon "$third" 50 -60,-70,-80
check "every report arrives on D-Bus with its RSSI" eventually 10 logged monitor 'changed .* rssi=-(60|70|80)' 40
radio lie 100
check "malformed reports are sent" eventually 10 stat_at_least lied 200
radio stop all
check "and lose no good one" eventually 5 captured air "${beacon_octets}1e$third" $(($(stat_of reported) - before))
check "and bluetoothd survives them" running bluetoothd
radio flood 100 100
check "a crowd of random addresses passes" eventually 10 stat_is flood-left 0
radio batch 3
radio flood 30 300 020106040303030303 -33
check "one event carries several reports" eventually 10 captured air 3e..0203 5
check "and BlueZ takes them apart" eventually 10 logged monitor 'added hci0/.* rssi=-33' 30
radio batch 1

radio advertise still $beacon "$second" 100 -60
eventually 10 logged monitor 'changed .* rssi=-60'
radio hang
signals() { grep -c 'adapter\|name\|rssi' monitor.log; }
signals_are() {
  echo "$(signals) signals, there were $1: $(tail -n 1 monitor.log)"
  [ "$(signals)" -eq "$1" ]
}
# Pending packets may still arrive.
sleep 1
check "a hang gives no signal" throughout 5 signals_are "$(signals)"
check "and discovery seems to go on" adapter_is hci0 Discovering true
radio resume

radio unplug
check "unplugging removes the adapter" eventually 10 logged monitor 'adapter removed hci0'
radio replug
check "replugging adds it" eventually 10 logged monitor 'adapter added hci0 B0:EC:AC:00:00:00'
radio unplug
eventually 10 logged monitor 'adapter removed hci0' 2
radio replug other
check "it can come back with another index" eventually 10 logged monitor 'adapter added hci1 B0:EC:AC:00:00:00'
eventually 10 adapter_is hci1 Powered true

rfkill block bluetooth
check "rfkill switches the adapter off" eventually 10 logged monitor 'adapter hci1 PowerState=off-blocked'
rfkill unblock bluetooth
power hci1 true
check "and after rfkill it can be switched on" eventually 10 adapter_is hci1 Powered true

stop bluetoothd KILL
check "a killed bluetoothd loses its name" eventually 5 logged monitor 'name org.bluez lost'
start_bluetoothd
check "and gains it when it starts again" eventually 5 logged monitor 'name org.bluez gained'
stop monitor
stop bluetoothd
stop controller-0

check "a controller with extended advertising appears" plug 0 extended
check "bluetoothd starts without the experimental interfaces" start_bluetoothd --compat
check "bluetoothd powers that controller on, too" eventually 10 adapter_is hci0 Powered true
start extended bluez hci0 discover
check "a client calls StartDiscovery there, too" eventually 60 logged extended 'discover done'
check "it scans" discovers
radio report $beacon "$first" -71
check "an extended report arrives with exact octets" eventually 5 captured air "$(packet "$(extended_event "$first" b9)")"
check "and on D-Bus" eventually 5 logged extended 'C0_00_00_00_00_01 rssi=-71 manufacturer=004c:0215'
radio report $beacon "$(printf 'aa%.0s' $(seq 300))" -71
check "long data begins with an incomplete fragment" eventually 5 captured air "3eff0d01200001${beacon_octets}01010"
check "and ends with a complete one" eventually 5 captured air "3e610d01000001${beacon_octets}01010"
check "it knows every command of the kernel" stat_is unknown-commands 0
stop extended
stop bluetoothd
stop air
stop controller-0

plug 0
hciconfig hci0 up
start lescan hcitool lescan --passive --duplicates
check "without bluetoothd a raw socket scans passively" eventually 10 stat_is scanning passive
radio flood 6000 3000
check "3,000 reports a second pass" eventually 15 stat_is reported 6000
check "and the kernel takes them all" stat_is refused 0
check "and a reader hears nearly all" eventually 10 logged lescan '[(]unknown[)]' 5700
stop lescan INT
stop controller-0

start btvirt btvirt -L -l2
start_bluetoothd
check "two controllers of btvirt appear" eventually 10 adapter_is hci1 Powered true
# Its reports have no RSSI, and the kernel drops those as soon as a client's filter names one.
start hearing bluez hci0 discover-any
eventually 20 logged hearing 'discover-any done'
start speaking bluez hci1 advertise
check "and one hears the other" eventually 20 logged hearing 'hci0.* manufacturer=004c:0215e2c56db5dffb48d2b060d0f5a71096e000010002c5'
