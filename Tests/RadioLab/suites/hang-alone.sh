# A controller that hangs silently on a machine without bluetoothd: noticed before any exit, and received again when it recovers.
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
# The watchdog must have received reports before it can miss them.
sleep 33
cause "the controller hangs" radio hang
check "$fault: the adapter is silent before anybody leaves" eventually 45 health silent
check "$fault: nobody has left" events exit 0
check "$fault: the region is unknown" eventually 5 door unknown
check "$fault: the log tells it" eventually 5 tells 'B0:EC:AC:00:00:00 is silent'
# The time lets the daemon's attempts appear in the transcript. No check depends on it.
sleep 20
transcript "$fault"
radio resume
cured
