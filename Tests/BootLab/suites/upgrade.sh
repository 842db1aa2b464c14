# A device with an edited config, events, consent and waiting deliveries is upgraded, downgraded, and loses its upgrade in the middle, first by an end of dpkg and then
# by a power cut between the two packages.
# disk: old
# packages: old new
# boots: 2
# limit: 720

boot_1() {
  packets
  plug_radio
  { echo '# Edited by the shop.' && door_config "$to_web_server"; } | configure
  beaconmon privacy grant visitor
  advertise_door
  check "the old version has an event" eventually 60 recorded enter 1
  check "a delivery waits" eventually 30 says 'shop: [1-9][0-9]* wait' beaconmon-notifier --outbox
  local begin
  kept_events >/var/lib/lab/events-before
  sha256sum </etc/beaconmon/beaconmon.toml >/var/lib/lab/edited

  begin=$(uptime_cs)
  # An unattended upgrade: dpkg can ask no person, and would end.
  check "an upgrade installs without a question" dpkg -i new/*.deb
  echo "figure upgrade: $((($(uptime_cs) - begin) / 100)) s" >&3
  check "the new version runs" eventually 30 active beaconmond
  kept "an upgrade"
  undisturbed "an upgrade"

  # The packages of 0.1.0 have the config as a conffile.
  dpkg --force-confold -i old/*.deb >downgrade.log 2>&1
  check "a downgrade installs" eval '[ "$(dpkg-query -W -f "\${Version} \${db:Status-Status}" beaconmon)" = "$(dpkg-deb -f old/beaconmon_*.deb Version) installed" ]'
  check "the old version runs again" eventually 30 active beaconmond
  kept "a downgrade"
  undisturbed "a downgrade"

  # The first package is unpacked when dpkg dies.
  setsid dpkg -i new/beaconmon_*.deb new/beaconmon-notifier_*.deb >interrupted.log 2>&1 </dev/null &
  eventually 60 grep -q '^Unpacking beaconmon ' interrupted.log
  kill -KILL -- "-$!"
  wait $! 2>/dev/null
  check "an upgrade is interrupted" says 'unpacked|half-installed|half-configured|triggers' dpkg-query -W -f '${Package} ${db:Status-Status}\n' beaconmon beaconmon-notifier
  check "dpkg repairs it with the old version" eval 'dpkg --configure -a; dpkg --force-confold -i old/*.deb'
  check "the old version runs after the repair" eventually 30 active beaconmond
  kept "an interrupted upgrade"
  undisturbed "an interrupted upgrade"

  # Only the notifier has its new files when the power goes.
  dpkg --unpack new/beaconmon-notifier_*.deb >unpacked.log 2>&1
  sync
  echo cut >&3
  # The host kills the machine within a second.
  sleep 60
}

boot_2() {
  check "the packages have different versions after the power cut" says 'beaconmon-notifier unpacked' dpkg-query -W -f '${Package} ${db:Status-Status}\n' beaconmon-notifier
  check "the daemon runs with the new notifier" eventually 60 active beaconmond
  # Version 0.1.0 has no combined program, so the new notifier needs the new daemon. unattended-upgrades begins with the same two steps.
  if dpkg --compare-versions "$(dpkg-query -W -f '${Version}' beaconmon)" gt 0.1.0-1; then
    check "the notifier runs with the old daemon" eventually 60 active beaconmon-notifier
    check "nothing keeps the next unattended upgrade from starting" eval 'dpkg --configure -a && apt-get check'
  fi
  check "an upgrade of both completes it without a question" dpkg -i new/*.deb
  check "the new version runs after the power cut" eventually 30 active beaconmond
  check "the notifier runs after the power cut" eventually 30 active beaconmon-notifier
  kept "a power cut between the packages"

  web_server webhooks
  systemctl reload beaconmon-notifier
  check "the delivery that waited since the old version arrives" eventually 60 grep -q '"event":"enter".*"region":"door"' webhooks
}

# kept AFTER: config, events, consent and deliveries are those from before.
kept() {
  check "$1 keeps the edited config" [ "$(sha256sum </etc/beaconmon/beaconmon.toml)" = "$(cat /var/lib/lab/edited)" ]
  check "$1 keeps the events and their numbers" eventually 30 eval 'kept_events | head -n "$(wc -l </var/lib/lab/events-before)" | cmp - /var/lib/lab/events-before'
  check "$1 keeps consent" says 'visitor' beaconmon privacy
  check "$1 keeps waiting deliveries" eventually 30 says 'shop: [1-9][0-9]* wait' beaconmon-notifier --outbox
}

# undisturbed AFTER: the region is inside as before.
undisturbed() {
  check "the region is inside after $1" eventually 40 says 'door +inside' beaconmon status
  check "$1 causes no enter and no exit" eval 'recorded enter 1 && recorded exit 0'
}
