# A shop: 200 beacons in 200 regions, the time to the first event, and an hour of visitors, sixty times as fast.
# limit: 600

boot_1() {
  packets
  drop_in beaconmond memory <<'END'
[Service]
MemoryMax=32M
MemorySwapMax=0
END
  experimental_bluetooth
  plug_radio
  {
    printf 'source = "hci"\n'
    for minor in $(seq 200); do region "shelf $minor" "$minor"; done
  } | configure
  check "the daemon runs with 200 regions" eventually 30 active beaconmond
  for minor in $(seq 200); do beacon "$minor" 1000 "-$((50 + minor % 40))"; done
  check "all 200 regions are entered" eventually 60 recorded enter 200
  figure "memory of the daemon with 200 beacons and 200 regions, the most in a minute" "$(most_memory)" KiB 12288
  echo "figure of it that is not a file: $(memory_of beaconmond RssAnon) KiB" >&3
  echo "figure memory of the daemon at its start: $(memory_of beaconmond VmHWM) KiB" >&3
  radio stop all

  {
    printf 'source = "hci"\n'
    for minor in $(seq 5); do region "case $minor" "$minor"; done
  } | configure
  eventually 30 says 'hci, scanning' beaconmon status
  first_events

  an_hour
  check "the kernel killed nothing for the limit of 32 MiB" eval '! journalctl -b -k -q | grep -i "out of memory\|oom-kill"'
}

# most_memory: prints the most of what the daemon has in a minute, in KiB. It gives pages of files back once a minute, and a client asks it at the beginning.
most_memory() {
  local most=0 now
  beaconmon events >/dev/null
  beaconmon status >/dev/null
  for _ in $(seq 30); do
    now=$(memory_of beaconmond VmRSS)
    [ "$now" -le "$most" ] || most=$now
    # The samples cover a minute.
    sleep 2
  done
  echo "$most"
}

# first_events: the time from hearing a beacon, which is the time of its event, until a client has that event, and from its first transmission, which an emulated machine
# hears late. The middle one of five counts, because the machine shares its processors.
first_events() {
  local minor sent=()
  start events follow_events
  # The client is on the bus by then; a later one only makes the first of the five times longer.
  sleep 4
  for minor in $(seq 5); do
    sent+=("${EPOCHREALTIME/./}")
    radio advertise "case$minor" "$(printf 'C0:00:00:00:02:%02X' "$minor")" "$(frame $uuid 1 "$minor" -59)" 100 -60
    check "the event of beacon $minor comes" eventually 20 logged events "\"event\":\"enter\".*\"region\":\"case $minor\""
  done
  radio stop all
  pkill -f 'beaconmon monitor'
  figure "time from hearing a beacon to the event at a client" "$(delays | sort -n | sed -n 3p)" ms 1000
  echo "figure time from the first transmission of a beacon to the event at a client: $(delays "${sent[@]}" | sort -n | sed -n 3p) ms" >&3
}
follow_events() { beaconmon monitor --json | while IFS= read -r event; do echo "$EPOCHREALTIME $event"; done; }

# delays [MICROSECONDS...]: prints the milliseconds of each enter event in events.log since its time, or since the time of its beacon among the arguments.
delays() {
  local seconds event since
  while IFS=' ' read -r seconds event; do
    case $event in *'"event":"enter"'*) ;; *) continue ;; esac
    if [ $# -gt 0 ]; then
      since=$(($(echo "$event" | sed -nE 's/.*"region":"case ([0-9]+)".*/\1/p')))
      since=$((${!since} / 1000))
    else
      since=$(date -d "$(echo "$event" | sed -nE 's/.*"time":"([^"]+)".*/\1/p')" +%s%3N)
    fi
    echo $((${seconds/./} / 1000 - since))
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
  # The memory is compared after the first tenth, in which the daemon learns the beacons, and without the pages of files, which come and go.
  sleep "$((minutes / 10))"
  before=$(memory_of beaconmond RssAnon)
  check "$minutes minutes in a shop pass, sixty times as fast" eventually $((minutes + 90)) says 'ended$' beaconmon status
  check "their events are those of a replay" eventually 20 same_events
  figure "memory that $minutes minutes in a shop add" "$(($(memory_of beaconmond RssAnon) - before))" KiB 512
  figure "memory of the daemon after them" "$(memory_of beaconmond VmRSS)" KiB 12288
}

# kinds: prints kind and region of each event on standard input.
kinds() { sed -nE 's/.*"event":"([a-z]+)".*"region":"([^"]+)".*/\1 \2/p'; }
# The events until the end of the recording: after it, the daemon also reports exits.
same_events() {
  beaconmon events --json | kinds >shop-events.log
  head -n "$(wc -l <expected.log)" shop-events.log | diff expected.log -
}
