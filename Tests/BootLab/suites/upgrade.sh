# A device with an edited config, events, consent and waiting deliveries is upgraded, downgraded, and loses its upgrade in the middle.
# disk: old
# packages: old new
# limit: 480

boot_1() {
  packets
  plug_radio
  configure <<'END'
# Edited by the shop.
source = "auto"
[[region]]
identifier = "door"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
major = 1
minor = 2
[[notifier.action]]
name = "shop"
webhook = { url = "http://127.0.0.1:8080/events" }
[[notifier.action]]
name = "told"
log = "TOLD {event} {region}"
END
  beaconmon privacy grant visitor
  advertise_door
  check "the old version has an event" eventually 60 recorded enter 1
  check "a delivery waits" eventually 30 says 'shop: [1-9][0-9]* waiting' beaconmon-notifier --outbox
  local before edited begin
  kept_events >events-before.log
  edited=$(sha256sum </etc/beaconmon/beaconmon.toml)

  begin=$(uptime_cs)
  check "an upgrade installs" dpkg --force-confold -i new/*.deb
  echo "figure upgrade: $((($(uptime_cs) - begin) / 100)) s" >&3
  check "the new version runs" eventually 30 active beaconmond
  kept "an upgrade"

  # The first package is unpacked when dpkg dies.
  dpkg --force-confold -i old/*.deb >downgrade.log 2>&1
  check "a downgrade installs" eval '[ "$(dpkg-query -W -f "\${Version} \${db:Status-Status}" beaconmon)" = "$(dpkg-deb -f old/beaconmon_*.deb Version) installed" ]'
  check "the old version runs again" eventually 30 active beaconmond
  kept "a downgrade"

  setsid dpkg --force-confold -i new/*.deb >interrupted.log 2>&1 &
  eventually 60 grep -q '^Unpacking beaconmon ' interrupted.log
  kill -KILL -- "-$!"
  wait $! 2>/dev/null
  check "an upgrade is interrupted" says 'unpacked|half-installed|half-configured|triggers' dpkg-query -W -f '${Package} ${db:Status-Status}\n' beaconmon beaconmon-notifier
  check "dpkg repairs it" eval 'dpkg --force-confold --configure -a; dpkg --force-confold -i new/*.deb'
  check "the new version runs after the repair" eventually 30 active beaconmond
  kept "an interrupted upgrade"

  web_server webhooks
  systemctl reload beaconmon-notifier
  check "the delivery that waited since the old version arrives" eventually 60 grep -q '"event":"enter".*"region":"door"' webhooks
}

# kept AFTER: config, events, consent, deliveries and the region are those from before.
kept() {
  check "$1 keeps the edited config" [ "$(sha256sum </etc/beaconmon/beaconmon.toml)" = "$edited" ]
  check "$1 keeps the events and their numbers" eventually 30 eval 'kept_events | head -n "$(wc -l <events-before.log)" | cmp - events-before.log'
  check "$1 keeps consent" says 'visitor' beaconmon privacy
  check "$1 keeps waiting deliveries" eventually 30 says 'shop: [1-9][0-9]* waiting' beaconmon-notifier --outbox
  check "the region is inside after $1" eventually 40 says 'door +inside' beaconmon status
  check "$1 causes no enter and no exit" eval 'recorded enter 1 && recorded exit 0'
}
