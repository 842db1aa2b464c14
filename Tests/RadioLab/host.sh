# The part of the radio lab and the boot lab that runs on this machine; sourced by `run` and `boot` of both.

# For `run`: suites, their machines and the summary

# require_lab NAME VARIABLE BUILDER: builds the machine with BUILDER and sets `image` to its folder. If it cannot be built here, prints that in one line and ends the
# run: with success, unless the environment has VARIABLE.
require_lab() {
  local log answer status=0
  log=$(mktemp) answer=$(mktemp)
  { "$3" 2>&1 >"$answer" | tee "$log" | sed -u '/^[a-z]* lab: /!d' >&2; } || status=$?
  image=$(cat "$answer")
  rm "$answer"
  if [ $status -eq 69 ]; then
    echo "$1 skipped: $(tail -n 1 "$log")"
    rm "$log"
    [ -z "${!2:-}" ]
    exit
  elif [ $status -ne 0 ]; then
    cat "$log" >&2
    exit $status
  fi
  rm "$log"
}

# setting FILE NAME [DEFAULT]: prints the value of the line "# NAME: VALUE" of a suite.
setting() { sed -n "s/^# $2: *//p" "$1" | head -1 | grep . || echo "${3:-}"; }
is_soak() { grep -qx '# soak' "$1"; }

# choose_suites FOLDER [--soak | SUITE...]: sets `suites`. Without arguments these are all in the folder except those marked "# soak", with --soak only those.
choose_suites() {
  local folder=$1 suite
  shift
  case ${1:-} in
    "") for suite in "$folder"/*.sh; do is_soak "$suite" || set -- "$@" "$suite"; done ;;
    --soak)
      shift
      for suite in "$folder"/*.sh; do ! is_soak "$suite" || set -- "$@" "$suite"; done
      ;;
  esac
  suites=()
  for suite in "$@"; do
    [ -f "$suite" ] || suite=$folder/$suite.sh
    [ -f "$suite" ] || { echo "there is no suite $(basename "$suite" .sh) in $folder" >&2; exit 64; }
    suites+=("$suite")
  done
}

# run_suites BOOT OUT JOBS: runs BOOT SUITE OUT/NAME for each suite, JOBS at a time, and prints the results of each.
run_suites() {
  local suite
  # The longest suites start first.
  while read -r _ suite; do
    # Not `wait -n`, which also returns for children that are not suites.
    while [ "$(jobs -rp | wc -l)" -ge "$3" ]; do wait -n || true; done
    run_suite "$1" "$suite" "$2" &
  done < <(for suite in "${suites[@]}"; do echo "$(setting "$suite" limit 120) $suite"; done | sort -rn)
  wait
}

# run_suite BOOT SUITE OUT: runs it, and prints its results when it has ended.
run_suite() {
  local name begin=$SECONDS status=0 results log why TIMEFORMAT='%U %S'
  name=$(basename "$2" .sh)
  log=$(mktemp)
  { time "$1" "$2" "$3/$name" 2>"$log"; } 2>"$log.time" || status=$?
  results=$3/$name/results
  if [ "$(tail -1 "$results" 2>/dev/null)" != end ]; then
    why="the machine stopped before the end of the suite (status $status)"
    [ $status -ne 124 ] || why="the machine had to be stopped long after the limit of the suite"
    echo "not ok suite: $why: $(tail -qn 1 "$log" "$3/$name/console.log" 2>/dev/null | tr -s '\r\n' ' ')" >>"$results"
  fi
  {
    sed -nE "s/^(ok|not ok|skip) /\\1 $name: /p; s/^figure /   figure $name: /p" "$results"
    echo "   $name took $((SECONDS - begin)) s and $(awk '{ print int($1 + $2) }' "$log.time") s of a processor, its files are in ${3#"$PWD"/}/$name"
  } >"$log"
  # Printed at once, so that suites that end together do not mix.
  cat "$log"
  rm "$log" "$log.time"
}

# summarise NAME OUT: prints the last line, and fails if a check failed.
summarise() {
  local failed
  failed=$(count_results "not ok" "$2")
  echo "$1: $(count_results ok "$2") passed, $failed failed, $(count_results skip "$2") skipped, in $SECONDS s"
  [ "$failed" -eq 0 ]
}
count_results() { for suite in "${suites[@]}"; do grep -h "^$1 " "$2/$(basename "$suite" .sh)/results" || true; done | wc -l; }

# For `boot`: one machine

# compile_tools FOLDER: makes the programs of the labs that every machine has.
compile_tools() {
  gcc -std=gnu17 -O2 -Wall -Wextra -Werror -static -s -o "$1/controller" "$radio_lab"/controller/*.c
}

# machine_options FOLDER: sets `machine` to the options of qemu that all machines have, and `kernel_options`. FOLDER receives console.log, results and files.tar.
machine_options() {
  local tsc_khz probe
  probe=$(mktemp)
  gcc -std=gnu17 -O2 -Wall -Wextra -Werror -o "$probe" "$radio_lab/tsc-khz.c"
  tsc_khz=$("$probe")
  rm "$probe"
  kernel_options="console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable tsc_early_khz=$tsc_khz no_timer_check cryptomgr.notests random.trust_cpu=on"
  machine=(
    -M q35 -cpu max -nodefaults -no-user-config -display none -no-reboot
    -serial "file:$1/console.log" -device virtio-rng-pci -device virtio-serial-pci
    -chardev "file,id=results,path=$1/results" -device virtserialport,chardev=results,name=results
    -chardev "file,id=files,path=$1/files.tar" -device virtserialport,chardev=files,name=files
  )
}

# unpack_files FOLDER: unpacks files.tar of a machine into files. A machine that stopped early leaves no archive, or half of one; the existing part is kept.
unpack_files() {
  mkdir -p "$1/files"
  tar -x -C "$1/files" -f "$1/files.tar" --no-same-owner || true
  rm -f "$1/files.tar"
}

radio_lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
