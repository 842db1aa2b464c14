# Loads, for suites whose daemon receives with the controller of `plug 0`.

# share LEAST SECONDS: checks that the daemon receives LEAST per cent of the packets of ten beacons that send ten times a second.
share() {
  local sent heard minor
  sent=$(stat_of transmitted) heard=$(status_of iBeacons)
  for minor in $(seq 101 110); do beacon "$minor" 100 "-$((minor - 50))"; done
  # The load is measured for as long as the caller requests.
  sleep "$2"
  radio stop all
  sent=$(($(stat_of transmitted) - sent))
  # Pending packets still arrive.
  sleep 2
  heard=$(($(status_of iBeacons) - heard))
  echo "$heard of $sent reports in $2 s, $((heard * 100 / sent)) %" | tee -a figures.log
  [ $((heard * 100)) -ge $((sent * $1)) ]
}

# Prints twenty regions of one beacon each for a config.
twenty() { for minor in $(seq 1 20); do region "place $minor" "$minor"; done; }

# crowd COUNT RATE SECONDS: sends packets of passers-by, each with a new random address and no iBeacon, while twenty beacons stay.
crowd() {
  local before all minor
  for minor in $(seq 1 20); do beacon "$minor" 1000 -60; done
  check "twenty beacons enter" eventually 20 eval '[ "$(grep -c "\"event\":\"enter\"" monitor.log)" -ge 20 ]'
  radio flood 50 "$2" 0201061aff4c0010050b1c6f0e12000000000000000000000000000000 -70
  eventually 30 stat_is flood-left 0
  before=$(memory RssAnon) all=$(memory VmRSS)
  radio flood "$1" "$2" 0201061aff4c0010050b1c6f0e12000000000000000000000000000000 -70
  check "a crowd of $1 passes in $3 s" eventually $(($3 + 20)) stat_is flood-left 0
  # Pending packets still arrive.
  sleep 3
  echo "a crowd of $1: $before KiB of memory before, $(memory RssAnon) after; $all and $(memory VmRSS) KiB with pages of files" >>figures.log
  # Memory of packets and answers that still wait is given back later, that of a leak never.
  check "and less than 1 MiB stays in the daemon" eventually 70 eval "[ \$((\$(memory RssAnon) - $before)) -lt 1024 ]"
  check "and none of the twenty leaves" events exit 0
  radio stop all
}
