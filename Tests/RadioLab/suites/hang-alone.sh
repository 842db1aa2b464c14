# A controller that hangs without a word on a machine without bluetoothd: noticed before anybody has left, and heard again when it goes on.
# soak
# needs: beaconmond beaconmon
# limit: 200

. faults.sh

plug 0
hciconfig hci0 up
exit_delay=30s
hear hci
eventually 20 hearing scanning
advertise_door
for minor in 11 12 13; do beacon $minor 200 -70; done
check "a beacon enters its region" eventually 10 events enter 1
# What the watchdog must have heard before it misses it.
sleep 33
cause "the controller hangs" radio hang
check "$fault: the adapter is silent before anybody leaves" eventually 45 health silent
check "$fault: nobody has left" events exit 0
check "$fault: the region is unknown" eventually 5 door unknown
check "$fault: the log tells it" eventually 5 tells 'B0:EC:AC:00:00:00 is silent'
# For the transcript: what the daemon tries meanwhile belongs in it. No check depends on it.
sleep 20
transcript "$fault"
radio resume
cured
