# Loads, for suites whose daemon hears with the controller of `plug 0`.

# share LEAST SECONDS: of ten beacons that transmit ten times a second, the daemon hears so many per cent.
share() {
  local sent heard minor
  sent=$(stat_of transmitted) heard=$(status_of iBeacons)
  for minor in $(seq 101 110); do beacon "$minor" 100 "-$((minor - 50))"; done
  # The load is measured for as long as the caller says.
  sleep "$2"
  radio stop all
  sent=$(($(stat_of transmitted) - sent))
  # What is under way still arrives.
  sleep 2
  heard=$(($(status_of iBeacons) - heard))
  echo "$heard of $sent reports in $2 s, $((heard * 100 / sent)) %" | tee -a figures.log
  [ $((heard * 100)) -ge $((sent * $1)) ]
}

# In a config: twenty regions of a beacon each.
twenty() { for minor in $(seq 1 20); do region "place $minor" "$minor"; done; }

# crowd COUNT RATE SECONDS: passers-by, each with another random address and nothing of ours, while twenty beacons stay where they are.
crowd() {
  local before minor
  for minor in $(seq 1 20); do beacon "$minor" 1000 -60; done
  check "twenty beacons enter" eventually 20 eval '[ "$(grep -c "\"event\":\"enter\"" monitor.log)" -ge 20 ]'
  radio flood 50 "$2" 0201061aff4c0010050b1c6f0e12000000000000000000000000000000 -70
  eventually 30 stat_is flood-left 0
  before=$(rss)
  radio flood "$1" "$2" 0201061aff4c0010050b1c6f0e12000000000000000000000000000000 -70
  check "a crowd of $1 passes in $3 s" eventually $(($3 + 20)) stat_is flood-left 0
  # What is under way still arrives.
  sleep 3
  echo "RSS $before KiB before a crowd of $1, $(rss) KiB after it" >>figures.log
  check "and less than 1 MiB stays in the daemon" [ $(($(rss) - before)) -lt 1024 ]
  check "and none of the twenty leaves" events exit 0
  radio stop all
}
