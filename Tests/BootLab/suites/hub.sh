# The hub of a fleet is installed on a machine with Debian's broker and database, command by command as Docs/fleet/install.md says. It stores the events of a device, shows
# them, reports a problem, survives restarts and a power cut, is upgraded, and leaves nothing behind.
# disk: hub
# packages: hub newer-hub
# memory: 1536
# processors: 2
# boots: 2
# limit: 3000

ca=/home/keeper/ca
password='ten green bottles'

boot_1() {
  echo '127.0.0.1 broker1.example' >>/etc/hosts
  check "the system with broker and database is up" eventually 400 healthy
  cp hub/*.deb /home/keeper/
  check "the guide has ten blocks of code about the installation" [ "$(find installation -name '*.sh' -o -name '*.ini' | wc -l)" -eq 10 ]

  block 01
  check "no service of the hub is enabled or runs" eval '! systemctl list-unit-files --no-legend --state=enabled "beaconmon-hub*" | grep . && ! pgrep -f /usr/bin/beaconmon-hub'
  check "the package of the hub brings no package of a device" eval '! dpkg-query -W -f "\${db:Status-Status} \${Package}\n" beaconmon beaconmon-web beaconmon-notifier 2>/dev/null | grep ^installed'
  check "root and the group of the services alone read the settings" eval '[ "$(stat -c "%a %U %G" /etc/beaconmon-hub /etc/beaconmon-hub/secrets /etc/beaconmon-hub/hub.conf /etc/beaconmon-hub/alerts.toml | sort -u | tr "\n" " ")" = "640 root beaconmon-hub 750 root beaconmon-hub " ]'
  check "the shipped configuration of alerts is valid" beaconmon-hub alerts --check
  refused "beaconmon-hub@1" "the database is missing; set BEACONMON_HUB_DATABASE in /etc/beaconmon-hub/hub.conf"
  refused "beaconmon-hub-web" "the database is missing; set BEACONMON_HUB_DATABASE"
  refused "beaconmon-hub-alerts" "the database is missing; set BEACONMON_HUB_DATABASE"
  check "a visitor learns that the settings need sudo" says 'readable for root and the group beaconmon-hub only; use sudo' as visitor beaconmon-hub status

  block 02
  check "the certificates are for the group of the services" eval '[ "$(stat -c "%a %G" /etc/beaconmon-hub/{ca.crt,hub.crt,hub.key} | sort -u)" = "640 beaconmon-hub" ]'
  block 03
  block 04
  echo "figure start of the broker: ready $(cut -d. -f1 /proc/uptime) s after the boot" >&3
  block 05 'SECRET\nSECRET\n'
  block 06
  check "a command without tables names the next step" says 'the database has schema 0, and this program needs [0-9]+; run "beaconmon-hub migrate"' beaconmon-hub migrate --check
  wrong_settings
  block 07
  block 08
  block 09 "$password\n"
  for unit in beaconmon-hub@1 beaconmon-hub@2 beaconmon-hub-web beaconmon-hub-alerts; do
    check "$unit started at the first attempt" eval "active $unit && is $unit NRestarts 0"
    exposure $unit 1.5
    echo "figure memory of $unit: $(memory_of $unit VmRSS) KiB" >&3
  done
  for unit in beaconmon-hub@1 beaconmon-hub@2 beaconmon-hub-web; do check "AppArmor confines $unit" grep -qx 'beaconmon-hub (enforce)' "/proc/$(pid_of $unit)/attr/current"; done

  check "a device publishes with its certificate" ./fleet publish $ca 1
  check "the status shows the device with its version" eventually 60 says 'berlin\.door .*9\.9\.9' beaconmon-hub status
  check "the status shows the backlog of every queue" says '"backlog" *: *0' beaconmon-hub status --json
  check "the page shows the event" eventually 60 says '"event": *"enter", *"region": *"door"' ./fleet read ada "$password" '/api/events?site=berlin'
  for file in / /app/dom.js /style.css /hub/main.js /hub/strings/de.json /leaflet/leaflet.js; do
    check "the page has the file $file" eventually 60 says '^200' ./fleet read ada "$password" $file
  done
  check "a full disk is an alert" alert
  check "a diagnosis without a change finds the schema in order" says 'that of this program' as_service migrate --check
  restarts
  sync
  echo cut >&3
  # The host kills the machine within a second.
  sleep 60
}

# block NUMBER [INPUT]: runs the commands of a block of the guide as an administrator with sudo, or appends a file's content to that file.
block() {
  local file line
  file=$(find installation -name "$1.*" ! -name '*.path')
  if [ -e "$file.path" ]; then
    check "the guide's lines go to $(cat "$file.path")" eval "cat $file >>'$(cat "$file.path")'"
    return
  fi
  while IFS= read -r line; do
    check "the guide's command works: $line" in_home "$line" "${2:-}"
  done <"$file"
}
in_home() { printf "$2" | runuser -l keeper -c "$1"; }

# as_service COMMAND...: runs the program as the user of the services.
as_service() { runuser -u beaconmon-hub -- beaconmon-hub "$@"; }

# refused UNIT TEXT: the unit does not start, is not tried again, and its status says why.
refused() {
  check "$1 fails at once and names the remedy: $2" eval "! systemctl start '$1' && is '$1' NRestarts 0 && is '$1' ActiveState failed && systemctl status --no-pager '$1' | grep -F '$2'"
  systemctl reset-failed "$1"
}

# wrong_settings: the mistakes of an administrator, each with its error.
wrong_settings() {
  local settings=/etc/beaconmon-hub/hub.conf
  cp -p $settings settings
  sed '/^BEACONMON_HUB_BROKER_PASSWORD=/d' settings >$settings
  refused "beaconmon-hub@1" 'the password of the broker is missing; set BEACONMON_HUB_BROKER_PASSWORD in /etc/beaconmon-hub/hub.conf'
  cat settings >$settings
  chmod 600 /etc/beaconmon-hub/hub.key
  refused "beaconmon-hub@1" '/etc/beaconmon-hub/hub.key cannot be read: Permission denied; the services need "chgrp beaconmon-hub"'
  chmod 640 /etc/beaconmon-hub/hub.key
  mv /etc/beaconmon-hub/hub.key key
  refused "beaconmon-hub@1" '/etc/beaconmon-hub/hub.key cannot be read: No such file or directory; "beaconmon-hub admin issue" makes it'
  mv key /etc/beaconmon-hub/hub.key
  echo 'BEACONMON_HUB_DATABSE="x"' >>$settings
  refused "beaconmon-hub@1" 'hub.conf:'
  check "an unknown setting is an error with its line" says 'hub\.conf:[0-9]+: unknown setting "BEACONMON_HUB_DATABSE"' beaconmon-hub status
  cat settings >$settings
  echo 'BEACONMON_HUB_WEB_LISTEN="0.0.0.0:8443"' >>$settings
  refused "beaconmon-hub-web" 'use --certificate and --key, or BEACONMON_HUB_WEB_CERTIFICATE'
  sed 's/SECRET/WRONG/' settings >$settings
  check "a wrong password of the database is in the log of the worker" eval 'systemctl start beaconmon-hub@1 && eventually 60 journal beaconmon-hub@1 "password authentication failed"'
  check "the status of the worker has the reason" says 'password authentication failed' systemctl show -P StatusText beaconmon-hub@1
  sed 's/dbname=fleet/dbname=flet/' settings >$settings
  systemctl restart beaconmon-hub@1
  check "a wrong name of the database is in the log of the worker" eventually 60 journal beaconmon-hub@1 'database "flet" does not exist'
  cat settings >$settings
  systemctl restart beaconmon-hub@1
  check "a worker without tables names the next step, and goes on trying" eventually 60 journal beaconmon-hub@1 'needs [0-9]+; run "beaconmon-hub migrate"; starts over'
  systemctl stop beaconmon-hub@1
  check "root and the group still read the settings alone" eval '[ "$(stat -c "%a %G" /etc/beaconmon-hub/hub.conf)" = "640 beaconmon-hub" ]'
}

# alert: a disk with less space than any disk has causes an alert, which the log gets.
alert() {
  printf '%s\n' '[alerts]' 'steady = "1s"' 'hub-free-space = "900000GB"' 'disks = ["/"]' '[[notifier.action]]' 'log = "TOLD {text}"' >/etc/beaconmon-hub/alerts.toml
  systemctl restart beaconmon-hub-alerts
  eventually 120 journal beaconmon-hub-alerts 'TOLD .*free'
}

# restarts: neither a restart of the hub nor one of its servers loses an event.
restarts() {
  check "the services of the hub restart together" systemctl restart 'beaconmon-hub*'
  stored 2 "a restart of the hub"
  check "the database restarts" systemctl restart postgresql@15-main
  stored 3 "a restart of the database"
  systemctl stop beaconmon-hub@1 beaconmon-hub@2
  check "the broker takes an event without workers" ./fleet publish $ca 4
  systemctl start beaconmon-hub@1
  check "a worker stores what waited" eventually 120 event 4
  systemctl start beaconmon-hub@2
}

# stored NUMBER AFTER: the device publishes event NUMBER, and the page shows it.
stored() { check "an event after $2 is stored" eventually 180 eval "./fleet publish $ca $1 && event $1"; }
event() { says "\"sequence\": *$1[,}]" ./fleet read ada "$password" '/api/events?site=berlin'; }

boot_2() {
  check "the system boots after the power cut without a failed unit" eventually 400 healthy
  for unit in beaconmon-hub@1 beaconmon-hub@2 beaconmon-hub-web beaconmon-hub-alerts; do check "$unit starts with the boot" eventually 120 active $unit; done
  check "the events are there" eventually 120 event 4
  stored 5 "a power cut"
  upgrades
  removal
}

# upgrades: services are restarted if the database fits the new version, and otherwise go on.
upgrades() {
  local worker page schema
  worker=$(pid_of beaconmon-hub@1) page=$(pid_of beaconmon-hub-web)
  sha256sum /etc/beaconmon-hub/* >before 2>/dev/null
  check "a newer version installs without a question" eval 'dpkg -i newer-hub/*.deb </dev/null'
  check "it restarts the workers" eventually 30 restarted beaconmon-hub@1 "$worker"
  check "it restarts the page" eventually 60 restarted beaconmon-hub-web "$page"
  check "it changes no configuration, certificate or key" eval 'sha256sum /etc/beaconmon-hub/* 2>/dev/null | cmp - before'
  check "it keeps the owners and the modes" eval '[ "$(stat -c "%a %G" /etc/beaconmon-hub /etc/beaconmon-hub/hub.key | tr "\n" " ")" = "750 beaconmon-hub 640 beaconmon-hub " ]'
  stored 6 "an upgrade"

  # An upgrade whose schema the database does not have yet.
  worker=$(pid_of beaconmon-hub@1)
  schema=$(beaconmon-hub migrate --check | sed -nE 's/^schema ([0-9]+),.*/\1/p')
  check "an administrator goes one schema back" beaconmon-hub migrate --to $((schema - 1)) --discard
  dpkg -i hub/*.deb >upgrade.log 2>&1
  check "a version that needs a migration says so" grep -E 'the services go on with the previous version.*run "beaconmon-hub migrate"' upgrade.log
  check "it names the units to restart" grep -F 'systemctl restart beaconmon-hub-alerts.service beaconmon-hub-web.service beaconmon-hub@1.service beaconmon-hub@2.service' upgrade.log
  check "it leaves the workers running" is beaconmon-hub@1 MainPID "$worker"
  systemctl restart beaconmon-hub@1
  check "a worker that starts with an older schema says what to do" eventually 60 journal beaconmon-hub@1 "the database has schema $((schema - 1)), and this program needs $schema; run \"beaconmon-hub migrate\""
  block 10
  stored 7 "a migration"
}

removal() {
  check "the package can be removed" dpkg --remove beaconmon-hub
  check "a removal stops the programs" eval '! pgrep -f /usr/bin/beaconmon-hub'
  check "a removal leaves no unit that runs or has failed" eval '! systemctl list-units --all --no-legend --state=active,activating,deactivating,failed "beaconmon-hub*.service" | grep .'
  check "a removal keeps the configuration" [ -e /etc/beaconmon-hub/hub.conf -a -e /etc/beaconmon-hub/alerts.toml ]
  check "the package can be purged" dpkg --purge beaconmon-hub
  check "a purge leaves the certificates and the key of the administrator alone" eval '[ "$(cd /etc/beaconmon-hub && echo *)" = "ca.crt hub.crt hub.key" ]'
  rm -r /etc/beaconmon-hub
  check "a purge leaves no file behind" eval '! find /etc /usr /lib/systemd /var/lib /var/cache /run/systemd -xdev -name "*beaconmon-hub*" -not -name "beaconmon-hub.list" | grep .'
  check "the database keeps the events" eval '[ "$(runuser -u postgres -- psql -At fleet -c "select count(*) from event")" = 7 ]'
}
