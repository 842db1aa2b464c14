# The share of a core that the daemon takes with 200 advertisements a second, on this machine: the virtual one is emulated.
# host
# limit: 120

boot_1() {
  {
    printf 'name = "twenty beacons at 10 Hz"\nduration = "1m"\n[[receiver]]\nposition = [5, 5]\n'
    for minor in $(seq 20); do
      printf '[[beacon]]\nuuid = "%s"\nmajor = 1\nminor = %d\nposition = [%d, 4]\ninterval = "100ms"\n' "$uuid" "$minor" "$minor"
      printf '[[region]]\nidentifier = "shelf %d"\nuuid = "%s"\nmajor = 1\nminor = %d\n' "$minor" "$uuid" "$minor"
    done
  } >scenario.toml
  check "a capture of a minute is made" "$programs/beaconmon" simulate scenario.toml --output capture.btsnoop --config beaconmon.toml --force
  local address daemon begin shares=()
  address=unix:path=$PWD/bus
  start bus dbus-daemon --session --nofork --nopidfile --address "$address"
  eventually 10 [ -S bus ]
  start daemon "$programs/beaconmond" --config beaconmon.toml --bus "$address" --source capture:capture.btsnoop
  daemon=$(cat "$pids/daemon")
  eventually 10 says_status scanning
  # The least of four times of ten seconds: other programs of a busy machine only add to it.
  for _ in 1 2 3 4; do
    begin=$(cpu_us "$daemon")
    # The figure counts for this time.
    sleep 10
    shares+=($(($(cpu_us "$daemon") - begin)))
  done
  figure "share of a core at 200 advertisements a second" "$(printf '%s\n' "${shares[@]}" | sort -n | awk 'NR == 1 { print $1 / 100000 }')" % 1
  check "it heard them" eval '[ "$("$programs/beaconmon" status --bus "$address" --json | sed -nE "s/.*\"iBeacons\":([0-9]+).*/\1/p")" -gt 7000 ]'
  stop daemon
  stop bus
}
says_status() { "$programs/beaconmon" status --bus "$address" | grep "$1"; }
cpu_us() { awk '{ print int($1 / 1000) }' "/proc/$1/schedstat"; }
