# A device loses its power right after an event, boots with a clock at its least date, gets the time, and fills its disk.
# boots: 2
# clock 2: 2020-01-01T00:00:00
# limit: 480

boot_1() {
  packets
  plug_radio
  door_config 'exit-delay = "6s"' "$to_web_server" | configure
  advertise_door
  check "a device whose packages were installed without a service manager hears its first beacon" eventually 60 recorded enter 1
  check "an action runs" eventually 30 journal beaconmon-notifier 'TOLD enter door'
  start monitor beaconmon monitor --json
  # The client is on the bus by then, or the loop below finds the event in the journal.
  sleep 3
  kept_events >/var/lib/lab/before
  date +%s >/var/lib/lab/cut-at
  # Flushes the files of the lab itself; the programs look after theirs.
  sync
  radio stop door
  check "the exit is told" eventually 30 grep -q '"event":"exit"' monitor.log
  # The power goes as soon as a client has the event. The web server never had one.
  echo cut >&3
  # The host kills the machine within a second.
  sleep 60
}

boot_2() {
  check "the system boots after the power cut without a failed unit" eventually 60 healthy
  check "the daemon runs after the power cut" eventually 30 active beaconmond
  check "the notifier runs after the power cut" eventually 30 active beaconmon-notifier
  check "the daemon may still receive packets" says 'hci.conf' systemctl show -P DropInPaths beaconmond
  check "the clock is at its least date" [ "$(date +%s)" -lt "$(cat /var/lib/lab/cut-at)" ]
  check "the last event before the cut is kept" recorded exit 1
  check "no event is invented" recorded enter 1
  check "events from before the cut keep their order" eval 'kept_events | head -n "$(wc -l </var/lib/lab/before)" | cmp - /var/lib/lab/before'
  check "the log action has the last event" eventually 30 journal beaconmon-notifier 'TOLD exit door'
  web_server webhooks
  systemctl reload beaconmon-notifier
  check "a web server that was away gets each event from before the cut" eventually 60 eval 'grep -q "\"event\":\"enter\"" webhooks && grep -q "\"event\":\"exit\"" webhooks'
  check "it gets each of them once" eval '[ "$(grep -cE "\"event\":\"(enter|exit)\"" webhooks)" = "$(grep -E "\"event\":\"(enter|exit)\"" webhooks | cut -d" " -f1 | sort -u | wc -l)" ]'

  plug_radio
  check "a radio that is plugged in after the boot is read packet by packet" eventually 30 says 'auto: hci, scanning' beaconmon status
  advertise_door
  check "the beacon enters again" eventually 60 recorded enter 2
  check "the event says that the clock is not synchronised" eval 'beaconmon events --json | grep "\"event\":\"enter\"" | tail -n 1 | grep "\"clockSynchronised\":false"'
  set-clock $(($(cat /var/lib/lab/cut-at) + 86400))
  check "a correction of the clock moves nothing" throughout 4 recorded exit 1
  check "the region stays inside" says 'door +inside' beaconmon status
  radio stop door
  check "the beacon leaves" eventually 40 recorded exit 2
  check "the event says that the clock is synchronised" eval 'beaconmon events --json | tail -n 1 | grep "\"clockSynchronised\":true"'
  check "its time is the corrected one" eval 'time=$(beaconmon events --json | tail -n 1 | sed -n "s/.*\"time\":\"\([^\"]*\)\".*/\1/p") && age=$(($(date +%s) - $(date -d "$time" +%s))) && echo "$time, $age s old" && [ "$age" -ge 0 ] && [ "$age" -lt 120 ]'
  check "the visit is counted" eventually 90 says 'door' beaconmon events --daily
  check "the sequence goes on" eval 'kept_events | cut -d" " -f1 | sort -n -C -u'

  # The disk is full: only root could still write, and mke2fs left no reserve.
  fallocate -l "$(($(df --output=avail -BM / | tail -n 1 | tr -d ' M') - 8))M" /filler
  dd if=/dev/zero of=/filler-2 bs=4k 2>/dev/null
  advertise_door
  check "with a full disk the beacon enters" eventually 40 recorded enter 3
  check "the status says that the disk is full" eventually 20 says 'events are kept in memory only|in memory only' beaconmon status
  rm /filler /filler-2
  # No command restarts or reloads a service.
  check "with space again the events are durable" eventually 90 says 'journal .*durable' beaconmon status
  check "with space again the action of the full disk runs" eventually 60 journal beaconmon-notifier 'TOLD enter door' 2
  systemctl restart beaconmond
  check "the event of the full disk outlives the daemon" eventually 30 recorded enter 3
}
