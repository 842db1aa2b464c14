# Programs hang and services restart, while the daemon has 32 MiB and AppArmor enforces its profiles.
# limit: 480

boot_1() {
  packets
  # The units wait three minutes for the watchdog, which would double the time of this lab.
  drop_in beaconmond lab <<'END'
[Service]
WatchdogSec=20s
RestartSec=1s
MemoryMax=32M
MemorySwapMax=0
END
  drop_in beaconmon-notifier lab <<'END'
[Service]
WatchdogSec=20s
RestartSec=1s
END
  plug_radio
  door_config | configure
  advertise_door
  # Passing phones, whose addresses and payloads belong in no log.
  radio flood 1000 20 0201061aff4c0010050b1c6f0e12000000000000000000000000000000 -70
  check "with hci.conf the daemon reads packets" eventually 30 says 'auto: hci, scanning' beaconmon status
  check "the beacon enters" eventually 60 recorded enter 1
  check "AppArmor confines the daemon" confined beaconmond
  check "AppArmor confines the notifier" confined beaconmon-notifier
  journald_fields
  parts_of_the_config
  metrics

  local daemon notifier begin
  daemon=$(pid_of beaconmond) notifier=$(pid_of beaconmon-notifier) begin=$(uptime_cs)
  kill -STOP "$daemon" "$notifier"
  check "the watchdog restarts a hung daemon" eventually 90 restarted beaconmond "$daemon"
  echo "figure watchdog of 20 s: $((($(uptime_cs) - begin) / 100)) s from the hang to the new daemon" >&3
  check "the log names the watchdog" eventually 10 journal beaconmond 'Watchdog timeout'
  check "the watchdog restarts a hung notifier" eventually 90 restarted beaconmon-notifier "$notifier"
  check "the new daemon hears the beacon" eventually 40 says 'door +inside' beaconmon status
  check "the hang causes no event" recorded enter 1

  systemctl restart bluetooth
  check "the daemon outlives a restart of bluetoothd" eventually 60 says 'door +inside' beaconmon status
  pkill -KILL -x bluetoothd
  check "the daemon outlives a crash of bluetoothd" eventually 60 eval 'active bluetooth || systemctl start bluetooth; says "door +inside" beaconmon status'
  systemctl restart dbus
  check "the daemon is on the bus again after the bus restarts" eventually 60 beaconmon status
  systemctl start bluetooth
  check "the daemon hears again after the bus restarts" eventually 60 says 'door +inside' beaconmon status
  check "the notifier runs after the bus restarts" eventually 60 active beaconmon-notifier
  check "nothing entered or left in all that" eval 'recorded enter 1 && recorded exit 0'
  check "the daemon never reached its 32 MiB" grep -qx "oom_kill 0" /sys/fs/cgroup/system.slice/beaconmond.service/memory.events
  check "the kernel killed nothing for its memory" eval '! journalctl -b -k -q | grep -i "out of memory\|oom-kill"'
  echo "figure memory of the daemon's cgroup: $(($(cat /sys/fs/cgroup/system.slice/beaconmond.service/memory.peak) / 1024)) KiB at most" >&3
}

# The fields that Docs/guides/troubleshooting.md lists.
journald_fields() {
  check "the log of an action has its MESSAGE_ID and the fields of the event" eventually 20 eval \
    'journalctl -b -q -o json -u beaconmon-notifier MESSAGE_ID=1a1d7507a89243ef9e4686291fb17615 REGION=door EVENT=enter | grep "\"SEQUENCE\""'
  check "the log of an adapter has its MESSAGE_ID and its address" eval \
    'journalctl -b -q -o json -u beaconmond MESSAGE_ID=845402ff32474efdbf36fce157877eb2 | grep "\"ADAPTER\":\"B0:EC:AC:00:00:00\""'
  systemctl reload beaconmond
  check "the log of a reload has its MESSAGE_ID" eventually 20 eval 'journalctl -b -q -u beaconmond MESSAGE_ID=7ac3cad6f558432d81370ef72f4abae0 | grep .'
}

# A drop-in of a fleet changes one device without its main file.
parts_of_the_config() {
  { echo; region window 3; } >/etc/beaconmon/conf.d/50-window.toml
  check "a drop-in in conf.d adds a region with a reload" eval 'systemctl reload beaconmond && eventually 20 says "^window" beaconmon status'
  check "config show names the drop-in" says '50-window.toml' beaconmon config show
  check "the running daemon has the values of the files" beaconmon config diff --running
  rm /etc/beaconmon/conf.d/50-window.toml
  check "without the drop-in the region is gone" eval 'systemctl reload beaconmond && eventually 20 eval "! beaconmon status | grep ^window"'
}

# An HTTP client of Python's own: the machine has no curl.
metrics() {
  printf '[metrics]\nlisten = "/run/beaconmon/metrics.sock"\n[notifier.metrics]\nlisten = "/run/beaconmon-notifier/metrics.sock"\n' >>/etc/beaconmon/beaconmon.toml
  systemctl restart beaconmond beaconmon-notifier
  check "the daemon serves metrics at its socket" eventually 40 says '^beaconmon' scrape /run/beaconmon/metrics.sock
  check "the notifier serves metrics at its socket" eventually 40 says '^beaconmon' scrape /run/beaconmon-notifier/metrics.sock
  check "a visitor may not read them" says "Permission denied|PermissionError" as visitor python3 -S ./scrape /run/beaconmon/metrics.sock
}
scrape() { python3 -S ./scrape "$1"; }
