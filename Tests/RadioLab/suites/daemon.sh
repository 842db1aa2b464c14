# The programs on a device: the user, the bus and the policy that are shipped with them.
# needs: beaconmond beaconmon
# limit: 60

uuid=e2c56db5-dffb-48d2-b060-d0f5a71096e0

status() { as "$1" beaconmon status; }
refused() {
  status "$1" >refused.log 2>&1
  echo "it says: $(cat refused.log)"
  grep -q 'to join the group' refused.log
}

plug 0
capture walk
hciconfig hci0 up
start lescan hcitool lescan --passive --duplicates
eventually 10 stat_is scanning passive
radio advertise door C0:00:00:00:00:01 "$(frame $uuid 1 2 -59)" 100 -60
check "a walk is recorded" eventually 10 stat_at_least reported 20
stop lescan INT
stop walk

cat >beaconmon.toml <<'END'
[[region]]
identifier = "door"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
END
start daemon as beaconmon beaconmond --config beaconmon.toml --source capture:walk.btsnoop --speed max
check "beaconmond owns its name as its own user" eventually 10 bus_name org.beaconmon.Monitor1
check "root sees the region" eventually 10 eval 'status root | grep door'
check "and so does the group beaconmon" eval 'status beaconmon | grep door'
check "nobody else does" refused bystander
