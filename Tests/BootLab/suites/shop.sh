# A shop: 200 beacons in 200 regions, how soon the first event comes, and an hour of visitors, sixty times as fast.
# limit: 480

boot_1() {
  packets
  plug_radio
  {
    printf 'source = "hci"\n'
    for minor in $(seq 200); do region "shelf $minor" "$minor"; done
  } | configure
  check "the daemon runs with 200 regions" eventually 30 active beaconmond
  for minor in $(seq 200); do beacon "$minor" 1000 "-$((50 + minor % 40))"; done
  check "all 200 regions are entered" eventually 60 recorded enter 200
  # The daemon has heard each beacon several times by then.
  sleep 5
  figure "memory of the daemon with 200 beacons and 200 regions" "$(rss_of beaconmond)" KiB 12288
  radio stop all

  {
    printf 'source = "hci"\n'
    for minor in $(seq 5); do region "case $minor" "$minor"; done
  } | configure
  eventually 30 says 'hci, scanning' beaconmon status
  first_events

  an_hour
}

# first_events: the time from hearing a beacon, which is the time of its event, until a client has that event. The middle one of five counts, because the machine shares
# its processors.
first_events() {
  local minor
  start events eval 'beaconmon monitor --json | while IFS= read -r event; do echo "$EPOCHREALTIME $event"; done'
  # The client is on the bus by then; a later one only makes the first of the five times longer.
  sleep 4
  for minor in $(seq 5); do
    radio report "$(printf 'C0:00:00:00:02:%02X' "$minor")" "$(frame $uuid 1 "$minor" -59)" -60
    eventually 20 logged events "\"event\":\"enter\".*\"region\":\"case $minor\""
  done
  stop events
  figure "time from hearing a beacon to the event at a client" "$(delays | sort -n | sed -n 3p)" ms 1000
}

# Prints the milliseconds of each enter event in events.log.
delays() {
  local seconds event time
  while IFS=' ' read -r seconds event; do
    time=$(echo "$event" | sed -nE 's/.*"event":"enter".*"time":"([^"]+)".*/\1/p')
    [ -z "$time" ] || echo $((${seconds/./} / 1000 - $(date -d "$time" +%s%3N)))
  done <events.log
}

# an_hour: the service plays a scenario, whose events must be those of a replay of the same hour. BEACONMON_HOURS makes it longer.
an_hour() {
  local scenario=/usr/share/beaconmon/scenarios/quiet-shop.toml minutes=$((BEACONMON_HOURS * 60)) before
  beaconmon simulate $scenario --duration "${minutes}m" --config shop.toml --output shop.btsnoop >/dev/null
  beaconmon replay shop.btsnoop --config shop.toml --json | kinds >expected.log
  rm shop.btsnoop
  { cat shop.toml; printf '\n[journal]\npath = "/var/lib/beaconmon/shop.db"\n'; } >/etc/beaconmon/beaconmon.toml
  drop_in beaconmond shop <<END
[Service]
ExecStart=
ExecStart=/usr/bin/beaconmond --config /etc/beaconmon/beaconmon.toml --source simulator:$scenario --duration ${minutes}m --speed 60
END
  systemctl restart beaconmond
  eventually 30 active beaconmond
  before=$(rss_of beaconmond)
  check "$minutes minutes in a shop pass, sixty times as fast" eventually $((minutes + 90)) says 'ended$' beaconmon status
  check "their events are those of a replay" eventually 20 same_events
  figure "memory that $minutes minutes in a shop add" "$(($(rss_of beaconmond) - before))" KiB 1024
}

# kinds: prints kind and region of each event on standard input.
kinds() { sed -nE 's/.*"event":"([a-z]+)".*"region":"([^"]+)".*/\1 \2/p'; }
# The events until the end of the recording: after it, the daemon also tells of exits.
same_events() {
  beaconmon events --json | kinds >shop-events.log
  head -n "$(wc -l <expected.log)" shop-events.log | diff expected.log -
}
