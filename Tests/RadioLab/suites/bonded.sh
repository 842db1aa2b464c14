# A bonded mouse that is away: presence needs no pauses for it, and a discovery pauses so that it can reconnect.
# soak
# needs: beaconmond beaconmon
# limit: 200

# The files that bluetoothd keeps for a bonded LE device with Human Interface Device over GATT, to which it connects when the device advertises.
mouse=C1:22:33:44:55:66
folder=/var/lib/bluetooth/B0:EC:AC:00:00:00/$mouse
mkdir -p "$folder"
cat >"$folder/info" <<'INFO'
[General]
Name=Mouse
Appearance=0x03c2
AddressType=static
SupportedTechnologies=LE;
Trusted=true
Blocked=false
Services=00001812-0000-1000-8000-00805f9b34fb;

[LongTermKey]
Key=00112233445566778899AABBCCDDEEFF
Authenticated=0
EncSize=16
EDiv=4660
Rand=1311768467463790320
INFO

plug 0
start_bluetoothd
eventually 10 adapter_is hci0 Powered true
check "the mouse is bonded" eventually 5 eval 'dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0/dev_C1_22_33_44_55_66 org.freedesktop.DBus.Properties.Get string:org.bluez.Device1 string:Paired | grep true'
hear bluez
check "presence is heard in a passive scan" eventually 20 eval 'hearing scanning && stat_is scanning passive'
advertise_door
check "a beacon enters its region" eventually 10 events enter 1
check "for the mouse too the scan stays passive" throughout 35 stat_is scanning passive
check "and the beacon stays" door inside
stop monitor
start ranging as root beaconmon range $uuid --json
check "whoever ranges makes it discover" eventually 20 stat_is scanning active
check "and within 40 s it pauses" eventually 45 stat_is scanning passive
check "and then it discovers again" eventually 10 stat_is scanning active
check "and the beacon has stayed" door inside
stop ranging
