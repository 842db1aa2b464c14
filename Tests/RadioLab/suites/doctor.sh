# "beaconmon doctor" names each fault that this machine can have with the command that corrects it, and its exit code tells the worst one.
# needs: beaconmond beaconmon
# limit: 240

# doctor USER: writes the diagnosis to doctor.log, and prints it.
doctor() {
  as "$1" beaconmon doctor --config /lab/files/beaconmon.toml >doctor.log 2>&1
  code=$?
  cat doctor.log >>transcript.log
  tail -n 3 doctor.log
}

# finds USER CODE LINE [COMMAND]: the exit code is CODE, and a line of the output is LINE, with the command in the line below.
finds() {
  doctor "$1"
  echo "exit $code: $(grep -E '^(fault|warning)' doctor.log | tr '\n' ';')"
  [ "$code" -eq "$2" ] && grep -A 1 -E "^$3" doctor.log >found.log || return 1
  [ -z "${4:-}" ] || tail -n 1 found.log | grep -qxE " *$4"
}

# lacks PATTERN: no line of the last output fits.
lacks() {
  grep -E "$1" doctor.log
  ! grep -qE "$1" doctor.log
}

{ echo 'source = "bluez"'; region door 2; } >beaconmon.toml
check "without an adapter, the fault is the adapter" finds root 2 'fault +adapter +(there is no Bluetooth adapter|the kernel has no Bluetooth)'
check "and bluetoothd, which cannot start then, is not a fault" lacks '^fault +bluetoothd'

plug 0
check "without bluetoothd, it says how to start it" finds root 2 'fault +bluetoothd +bluetoothd.* does not run' 'systemctl enable --now bluetooth'
start_bluetoothd
power hci0 true
eventually 10 adapter_is hci0 Powered true
check "without a daemon, it says how to start it" finds root 2 'fault +daemon +beaconmond does not run' 'systemctl enable --now beaconmond'
check "and does not start it" eval '! bus_name org.beaconmon.Monitor1'
check "a user reads that sudo is needed" finds bystander 2 'fault +daemon +beaconmond does not run' 'sudo systemctl enable --now beaconmond'

start scanning bluetoothctl --timeout 60 scan on
eventually 10 adapter_is hci0 Discovering true
check "the scan of another program is a warning that names it" finds root 2 'warning +scanners +another program lets hci0 scan: bluetoothctl'
stop scanning
eventually 10 adapter_is hci0 Discovering false

start_daemon bluez
eventually 20 bus_name org.beaconmon.Monitor1
eventually 20 hearing scanning
check "a machine that works has no fault" finds root 1 'ok +reception +beaconmond scans'
check "and its kernel, adapter, bus, daemon and config are well" eval '
  for check in kernel adapter rfkill bluetoothd bus daemon access disk config version; do grep -qE "^ok +$check " doctor.log || { echo $check; false; }; done'
check "the group beaconmon may call the daemon" finds beaconmon 1 'ok +access +user beaconmon may call beaconmond'
check "another user is told how to join the group" finds bystander 1 'warning +access +user bystander may not call beaconmond' \
  'sudo usermod -aG beaconmon bystander'

rfkill block bluetooth
eventually 10 health blocked
check "a block by a program has its command" finds root 2 'fault +rfkill +a program has blocked hci0' 'rfkill unblock bluetooth'
check "and is one fault of the radio, not several" lacks '^(fault|warning) +reception'
rfkill unblock bluetooth
eventually 10 health scanning
power hci0 false
eventually 10 health off
check "an adapter that is off has its command" finds root 2 'fault +adapter +hci0 .*is off' 'bluetoothctl power on'
power hci0 true
eventually 10 health scanning

echo 'mayor = 1' >>beaconmon.toml
check "an error of the config is a fault with its line" eventually 30 finds root 2 'fault +config +/lab/files/beaconmon.toml:[0-9]+: .*mayor'
sed -i '$d' beaconmon.toml
check "the report has no address of the adapter" eval '
  as root beaconmon doctor --config /lab/files/beaconmon.toml --report /tmp/report.txt >/dev/null
  grep -q "bluetooth-[0-9a-f]*" /tmp/report.txt && ! grep -qi "B0:EC:AC:00:00:00" /tmp/report.txt'

stop bluetoothd KILL
eventually 10 eval '! bus_name org.bluez'
check "a bluetoothd that was killed is a fault" finds root 2 'fault +bluetoothd +bluetoothd.* does not run' 'systemctl enable --now bluetooth'
stop daemon
