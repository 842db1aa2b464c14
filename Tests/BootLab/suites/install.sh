# A device is installed as the README says, used, and cleaned up.
# disk: bare
# packages: new
# limit: 480

boot_1() {
  check "the system is up before the package, without a failed unit" eventually 60 healthy
  web_server webhooks
  plug_radio
  advertise_door
  check "a radio that is plugged in starts bluetoothd" eventually 30 active bluetooth

  # The README, line by line, as the integrator.
  local begin count
  begin=$(uptime_cs)
  count=$(grep -c . transcript)
  check "the README has a transcript, of at most five commands" [ "$count" -ge 1 -a "$count" -le 5 ]
  follow_transcript
  echo "figure installation: $(((($(uptime_cs) - begin)) / 100)) s" >&3
  # The README has bluetoothd as Debian starts it; from here on, scans have no pauses.
  experimental_bluetooth
  systemctl restart bluetooth

  check "the daemon runs after the installation" eventually 30 active beaconmond
  check "the notifier runs after the installation" eventually 30 active beaconmon-notifier
  check "the daemon started at the first attempt" is beaconmond NRestarts 0
  check "the notifier started at the first attempt" is beaconmon-notifier NRestarts 0
  check "the bus lets the daemon own its name at once" no_journal beaconmond 'not allowed to own'
  check "no unit has failed after the installation" eventually 30 healthy
  check "the installed files take at most 32 MB" at_most "$(dpkg-query -W -f '${Installed-Size}\n' 'beaconmon*' | awk '{ sum += $1 } END { print sum * 1024 / 1e6 }')" 32
  echo "figure installed size: $(dpkg-query -W -f '${Installed-Size}\n' 'beaconmon*' | awk '{ sum += $1 } END { print sum * 1024 / 1e6 }') MB" >&3

  check "root may see the status" beaconmon status
  usermod -aG beaconmon keeper
  check "a member of the group may see the status" as keeper beaconmon status
  check "a visitor may not, and learns how to" says 'sudo usermod -aG beaconmon' as visitor beaconmon status

  door_config 'exit-delay = "6s"' "$to_web_server" '[[notifier.action]]' 'command = ["/usr/bin/logger", "-t", "command", "it runs"]' |
    sed 's/"door"/"entrance"/' >/etc/beaconmon/beaconmon.toml
  # The README has a region "door", whose beacon is inside already.
  # An event between the reloads of the daemon and of the notifier would belong to the old actions.
  radio stop all
  check "a changed config takes effect with a reload" eval 'systemctl reload beaconmond beaconmon-notifier && eventually 20 says entrance beaconmon status'
  advertise_door
  check "the beacon enters" eventually 30 recorded enter 1 entrance
  check "the web server receives the event" eventually 30 grep -q '"event":"enter".*"region":"entrance"' webhooks
  check "the log action runs" eventually 30 journal beaconmon-notifier 'TOLD enter entrance'
  check "the command runs, in its own sandbox" eventually 30 eval "journalctl -b -q -t command | grep -q 'it runs'"
  cp /etc/beaconmon/beaconmon.toml good.toml
  echo 'bad =' >>/etc/beaconmon/beaconmon.toml
  check "a reload refuses a wrong config" eval '! systemctl reload beaconmond && eventually 20 journal beaconmond refused'
  check "the daemon goes on with the previous config" says 'entrance +inside' beaconmon status
  cp good.toml /etc/beaconmon/beaconmon.toml
  systemctl reload beaconmond

  secrets_and_tls
  check "a diagnosis finds no fault" no_fault
  check "a visitor may not range before consent" says 'there is no decision about this user yet' as visitor beaconmon range $uuid --once
  check "a visitor may range after consent" eval 'beaconmon privacy grant visitor && eventually 20 as visitor beaconmon range $uuid --once'
  exposure beaconmond 1.4
  exposure beaconmon-notifier 1.5
  systemctl stop beaconmond
  check "a call on the bus starts the daemon" eval 'as visitor busctl --system call org.beaconmon.Monitor1 /org/beaconmon/Monitor1 org.freedesktop.DBus.Peer Ping && eventually 20 active beaconmond'
  packages_go
}

# follow_transcript: runs each command of the README as the integrator, in a folder with the packages. The last one follows events and is ended when one has come.
follow_transcript() {
  local number=0 command
  cp new/*.deb /home/keeper/
  while IFS= read -r command; do
    number=$((number + 1))
    if [ $number -lt "$count" ]; then
      check "the README's command works: $command" in_home "$command"
    else
      start follow in_home "$command"
      check "the README's last command shows the first event: $command" eventually 60 logged follow 'enter|entered'
      stop follow || true
    fi
  done <transcript
}
# With the groups of a new login, as the transcript says, and without standard input.
in_home() { runuser -l keeper -c "$1" </dev/null; }

# secrets_and_tls: a webhook over TLS that is signed with a secret, which only root and systemd can read, while AppArmor enforces the profile.
secrets_and_tls() {
  check "only root has access to the folder of secrets" eval '[ "$(stat -c "%a %U" /etc/beaconmon/secrets)" = "700 root" ]'
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout key.pem -out /etc/beaconmon/till.pem 2>openssl.log
  (umask 077 && echo "whsec_$(head -c 32 /dev/urandom | base64)" >/etc/beaconmon/secrets/till)
  start secure python3 -S ./web-server signed /etc/beaconmon/till.pem key.pem /etc/beaconmon/secrets/till
  eventually 60 grep -q ready secure.log
  printf '%s\n' '[[notifier.action]]' 'name = "till"' \
    'webhook = { url = "https://localhost:8443/", ca-file = "/etc/beaconmon/till.pem", secret = { credential = "till" } }' >>/etc/beaconmon/beaconmon.toml
  drop_in beaconmon-notifier secrets <<'END'
[Service]
LoadCredential=till:/etc/beaconmon/secrets/till
END
  systemctl restart beaconmon-notifier
  check "the notifier runs with a credential" eventually 30 active beaconmon-notifier
  check "AppArmor confines it" confined beaconmon-notifier
  radio stop all
  check "the beacon leaves" eventually 40 recorded exit 1 entrance
  check "a webhook over TLS is signed with the credential" eventually 60 grep -q '"event":"exit".*"region":"entrance"' signed
  advertise_door
  check "the beacon enters again" eventually 30 recorded enter 2 entrance
}
# The exit status is 1 for warnings and 2 for faults.
no_fault() { beaconmon doctor || [ $? -eq 1 ]; }

# copies: copies every drop-in and rule of the package to where its comment says.
copies() {
  local file
  for file in hci location geocoding sensors metrics; do install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/$file.conf; done
  install -Dm 644 /usr/share/beaconmon/bluetooth-experimental.conf /etc/systemd/system/bluetooth.service.d/beaconmon.conf
  install -Dm 644 -t /etc/udev/rules.d /usr/share/beaconmon/60-beaconmon-sensors.rules
  # These belong to the administrator, and a purge keeps them.
  rm -r /etc/systemd/system/bluetooth.service.d/lab.conf /etc/systemd/system/beaconmon-notifier.service.d /etc/beaconmon/secrets/till /etc/beaconmon/till.pem
  systemctl daemon-reload
}

packages_go() {
  copies
  check "the packages can be removed" dpkg --remove beaconmon-notifier beaconmon
  check "a removal stops the programs" eval '! pgrep -f "/usr/bin/beaconmon(d|-notifier)"'
  # deb-systemd-helper masks the services, as for each package that is removed and not purged.
  check "a removal leaves no unit that runs or has failed" eval '! systemctl list-units --all --no-legend --state=active,activating,deactivating,failed "beaconmon*" | grep .'
  check "a removal keeps config and events" [ -e /etc/beaconmon/beaconmon.toml -a -e /var/lib/beaconmon/journal.db ]
  check "the packages can be purged" dpkg --purge beaconmon-notifier beaconmon
  check "a purge leaves no unit behind" eval '! systemctl list-units --all --no-legend "beaconmon*" | grep .'
  check "a purge leaves no file behind" eval '! find /etc /usr /lib/systemd /var/lib /var/cache /run/systemd -xdev -name "*beaconmon*" -not -name "beaconmon*.list" | grep .'
}
