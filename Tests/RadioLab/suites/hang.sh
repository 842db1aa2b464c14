# A controller that hangs silently, through BlueZ: noticed before any exit, and received again when it recovers.
# needs: beaconmond beaconmon
# limit: 200

. faults.sh

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
exit_delay=30s
hear bluez "$till"
eventually 20 hearing scanning
advertise_door
for minor in 11 12 13; do beacon $minor 200 -70; done
check "a beacon enters its region" eventually 10 events enter 1
transcript "all is well"
# The watchdog must have received reports before it can miss them.
sleep 33
cause "the controller hangs" radio hang
check "$fault: the adapter is silent before anybody leaves" eventually 45 health silent
check "$fault: nobody has left" events exit 0
transcript "the controller hangs"
check "$fault: the region is unknown" eventually 5 door unknown
check "$fault: the log tells it" eventually 5 tells 'B0:EC:AC:00:00:00 is silent'
check "$fault: to begin the scan anew was tried before" tells 'is paused: BlueZ refuses to scan'
# The time lets the daemon's attempts appear in the transcript. No check depends on it.
sleep 5
transcript "later"
radio resume
cured
