# Programs hang, fail and restart, while the daemon has 32 MiB and AppArmor enforces its profiles.
# limit: 900

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
  door_config "$unreachable" | configure
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
  check "the log of a dead letter has its MESSAGE_ID" eventually 90 eval 'journalctl -b -q -u beaconmon-notifier MESSAGE_ID=d0c8edd9ee0f4076a87d0d571a972869 | grep .'

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
  through_bluetoothd
  read_only_etc
  reported_failure
  check "the daemon never reached its 32 MiB" grep -qx "oom_kill 0" /sys/fs/cgroup/system.slice/beaconmond.service/memory.events
  check "the kernel killed nothing for its memory" eval '! journalctl -b -k -q | grep -i "out of memory\|oom-kill"'
  echo "figure memory of the daemon's cgroup: $(($(cat /sys/fs/cgroup/system.slice/beaconmond.service/memory.peak) / 1024)) KiB at most" >&3
}

# A target where nothing listens, which gives up after the shortest time.
unreachable='[[notifier.target]]
name = "away"
give-up = "60s"
webhook = { url = "http://127.0.0.1:9/" }
[[notifier.action]]
target = "away"'

# The same restarts for a daemon that hears through bluetoothd, as it does without hci.conf.
through_bluetoothd() {
  rm /etc/systemd/system/beaconmond.service.d/hci.conf
  systemctl daemon-reload
  systemctl stop beaconmond
  # bluetoothd was killed while it scanned and another program scanned as well, after which the kernel may believe for ever that it scans.
  systemctl restart bluetooth
  systemctl start beaconmond
  check "without hci.conf the daemon hears through bluetoothd" eval 'eventually 60 says "auto: bluez, scanning" beaconmon status && hears 60'
  systemctl restart bluetooth
  check "through bluetoothd the daemon hears again after a restart of bluetoothd" hears 60
  pkill -KILL -x bluetoothd
  check "through bluetoothd the daemon hears again after a crash of bluetoothd" eval 'eventually 60 eval "active bluetooth || systemctl start bluetooth" && hears 60'
  systemctl restart dbus
  systemctl start bluetooth
  check "through bluetoothd the daemon hears again after the bus restarts" eval 'eventually 60 beaconmon status && hears 60'
  check "through bluetoothd nothing entered or left in all that" eval 'recorded enter 1 && recorded exit 0 && says "door +inside" beaconmon status'
}
# hears SECONDS: the daemon receives more iBeacons than until now. Its count begins anew with each start.
hears() {
  local before
  before=$(heard_beacons)
  eventually "$1" eval "echo \"\$(heard_beacons) after $before\"; [ \"\$(heard_beacons)\" -gt $before ]"
}
heard_beacons() { beaconmon status --json | sed -nE 's/.*"iBeacons":([0-9]+).*/\1/p' | grep . || echo 0; }

# An image whose /etc is read-only has the users already.
read_only_etc() {
  mount --bind /etc /etc
  mount -o remount,bind,ro /etc
  check "with a read-only /etc the users and the policy are set up" eval 'systemctl restart beaconmon-setup && ! is beaconmon-setup ActiveState failed'
  check "with a read-only /etc the daemon starts" eval 'systemctl restart beaconmond && eventually 30 active beaconmond'
  umount -l /etc
}

# A service that cannot run is reported once, and is started again until it runs.
reported_failure() {
  mkdir -p /etc/systemd/system/beaconmon-failure@.service.d
  printf '[Service]\nEnvironment=REPORT_FAILURE_PAUSE=1\n' >/etc/systemd/system/beaconmon-failure@.service.d/lab.conf
  drop_in beaconmon-notifier broken <<'END'
[Service]
ExecStart=
ExecStart=/bin/false
END
  systemctl restart beaconmon-notifier
  check "a service that fails five times in a row is reported" eventually 60 eval "journalctl -b -q -o cat -t beaconmon-notifier | grep 'failed five times in a row'"
  check "it is started again beyond the start limit" eventually 90 journal beaconmon-notifier 'code=exited, status=1' 11
  check "it is reported once" eval '[ "$(journalctl -b -q -o cat -t beaconmon-notifier | grep -c "failed five times in a row")" = 1 ]'
  rm /etc/systemd/system/beaconmon-notifier.service.d/broken.conf
  systemctl daemon-reload
  # It starts without a command.
  check "it runs again as soon as it can" eventually 60 active beaconmon-notifier
}

# The fields that Docs/guides/troubleshooting.md lists.
journald_fields() {
  check "the log of an action has its MESSAGE_ID and the fields of the event" eventually 20 eval \
    'journalctl -b -q -o json -u beaconmon-notifier MESSAGE_ID=1a1d7507a89243ef9e4686291fb17615 REGION=door EVENT=enter | grep "\"SEQUENCE\""'
  check "the log of an adapter has its MESSAGE_ID and its address" eval \
    'journalctl -b -q -o json -u beaconmond MESSAGE_ID=845402ff32474efdbf36fce157877eb2 | grep "\"ADAPTER\":\"B0:EC:AC:00:00:00\""'
  systemctl reload beaconmond
  check "the log of a reload has its MESSAGE_ID" eventually 20 eval 'journalctl -b -q -u beaconmond MESSAGE_ID=7ac3cad6f558432d81370ef72f4abae0 | grep .'
  cp /etc/beaconmon/beaconmon.toml good.toml
  echo 'bad =' >>/etc/beaconmon/beaconmon.toml
  systemctl reload beaconmond
  check "the log of a refused config has its MESSAGE_ID" eventually 20 eval 'journalctl -b -q -u beaconmond MESSAGE_ID=808beb8c8a9f401090b602ba3a5b0e26 | grep .'
  cp good.toml /etc/beaconmon/beaconmon.toml
  systemctl reload beaconmond
  check "the log of a retry has its MESSAGE_ID" eventually 30 eval 'journalctl -b -q -u beaconmon-notifier MESSAGE_ID=ebade663b4534e20b63d36d7e625718a | grep .'
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
  check "a visitor may not read them" says "Permission denied|PermissionError" as visitor python3 -S ./scrape /run/beaconmon/metrics.sock
  check "the notifier serves metrics at its socket" eventually 40 says '^beaconmon' scrape /run/beaconmon-notifier/metrics.sock
  sed -i 's|^listen = "/run/beaconmon/metrics.sock"|listen = "127.0.0.1:9851"|' /etc/beaconmon/beaconmon.toml
  install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/metrics.conf
  systemctl daemon-reload
  systemctl restart beaconmond
  check "with metrics.conf the daemon serves metrics at a loopback port" eventually 40 says '^beaconmon' scrape 127.0.0.1:9851
}
scrape() { python3 -S ./scrape "$1"; }
