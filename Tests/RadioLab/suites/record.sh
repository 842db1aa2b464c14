# Recordings of the radio: btmon reads them, and a replay finds the live events, through BlueZ and packet by packet.
# needs: beaconmond beaconmon
# limit: 150

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0
octets=$(echo $uuid | tr -d -)
door=0100000000c0

state() { as root beaconmon status --json | grep -o "\"sourceState\":\"$1\""; }
events() { [ "$(grep -c "\"event\":\"$2\"" "monitor-$1.log")" -eq 1 ]; }

# crossings FILE: prints enters and exits without their place in a journal, and without times, which the wall clock stamps anew.
crossings() {
  grep -E '"event":"(enter|exit)"' "$1" | sed -E 's/"sequence":[0-9]+,//; s/,"(clockSynchronised|durable)":[a-z]+//g; s/,"(journal|time)":"[^"]*"//g; s/"lastSeen":"[^"]*",//'
}

same_events() {
  crossings "monitor-$1.log" >live
  as root beaconmon replay "$1.btsnoop" --config "$1.toml" --json >"replay-$1.log"
  crossings "replay-$1.log" >replayed
  cat live replayed
  [ "$(wc -l <live)" -eq 2 ] && cmp live replayed
}

shown() {
  echo "btmon says: $(tail -n 1 "btmon-$1.log")"
  grep -qE -e "$2" "btmon-$1.log"
}

# visit SOURCE: a beacon and a phone appear and disappear during two recordings, one of beacons and one of everything.
visit() {
  cat >"$1.toml" <<END
source = "$1"

[[region]]
identifier = "door"
uuid = "$uuid"
exit-delay = "4s"
END
  start daemon as beaconmon beaconmond --config "$1.toml"
  check "$1: the source scans" eventually 25 state scanning
  start "monitor-$1" as root beaconmon monitor --json
  start "record-$1" as root beaconmon record "$1.btsnoop" --duration 5m
  # A member of the group may record, too. The shell of this machine opens the file.
  start "all-$1" sh -c "exec /usr/bin/setpriv --reuid beaconmon --regid beaconmon --init-groups beaconmon record - --all >all-$1.btsnoop"
  eventually 10 [ -s "$1.btsnoop" ]
  eventually 10 [ -s "all-$1.btsnoop" ]
  radio advertise phone 7A:00:00:00:00:02 0aff4c0010050b1c6f0e12 200 -70
  radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -65,-60,-70
  check "$1: a beacon enters" eventually 15 events "$1" enter
  # A few seconds of the beacon are enough for the recording.
  sleep 3
  radio stop all
  check "$1: and leaves" eventually 20 events "$1" exit
  check "$1: Ctrl-C ends a recording" stop "record-$1" INT
  check "$1: and tells what is in it" logged "record-$1" 'iBeacons, .* stopped by the client'
  stop "all-$1" INT
  check "$1: a replay finds the same events, adapter and all" same_events "$1"
  check "$1: the adapter has its address" grep -q '"adapter":"B0:EC:AC:00:00:00"' "replay-$1.log"
  btmon -r "$1.btsnoop" >"btmon-$1.log" 2>&1
  check "$1: btmon shows the adapter" shown "$1" 'New Index: B0:EC:AC:00:00:00 .*hci0'
  check "$1: what is recorded" shown "$1" "beaconmon records $1 "
  check "$1: what is kept" shown "$1" 'it contains only beacons, with pseudonymous addresses '
  check "$1: why it ended" shown "$1" 'beaconmon ends the recording: stopped by the client'
  check "$1: and the beacon, from another static address" shown "$1" 'Address: ([0-9A-F]{2}:){5}[0-9A-F]{2} \(Static\)'
  check "$1: its own is nowhere in it" [ "$(occurrences "$1" $door)" -eq 0 ]
  check "$1: nor is the phone" [ "$(occurrences "$1" 4c00100)" -eq 0 ]
  check "$1: a recording of everything has the beacon with its address" captured "all-$1" "$door.*$octets"
  check "$1: and the phone" captured "all-$1" 4c0010050b1c6f0e12
  stop "monitor-$1" INT
  stop daemon
}

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
visit bluez
check "bluez: a note says that its packets were made anew" shown bluez 'its packets are reconstructed from the reports of the source '
stop bluetoothd

export CAPABILITIES=+net_raw,+net_admin
visit hci
unset CAPABILITIES
check "hci: the packets are the controller's own" eval '! shown hci "made anew"'

start daemon as beaconmon beaconmond --config hci.toml --source capture:all-hci.btsnoop
eventually 10 bus_name org.beaconmon.Monitor1
as bystander beaconmon record - >refused.btsnoop 2>refused.log
check "nobody else may record" grep -q 'to join the group' refused.log
check "and nothing is written" [ ! -s refused.btsnoop ]
