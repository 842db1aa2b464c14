# A crowd of twenty thousand, packet by packet.
# soak
# needs: beaconmond beaconmon
# limit: 200

. load.sh

plug 0
hciconfig hci0 up
hear hci "$(twenty)"
check "it scans" eventually 20 hearing scanning
crowd 20000 333 60
