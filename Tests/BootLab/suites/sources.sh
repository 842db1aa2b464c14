# A device whose older version was installed with `make install` gets the packages, which keep its config, events and enabled units.
# disk: bare
# packages: old new
# limit: 480

boot_1() {
  local package daemon notifier
  # The files of `make install`, without an entry in the database of dpkg.
  for package in old/*.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x -C / --keep-directory-symlink; done
  systemctl daemon-reload
  # Nothing loads the profiles of these files, and the units start without them.
  expected_denials='info="label not found"'
  check "dpkg knows no package" eval '! dpkg-query -W beaconmon beaconmon-notifier'
  packets
  plug_radio
  { echo '# Edited by the shop.' && door_config; } >/etc/beaconmon/beaconmon.toml
  check "the services are enabled" systemctl enable --now beaconmond beaconmon-notifier
  advertise_door
  check "the old version has an event" eventually 60 recorded enter 1
  kept_events >events-before
  sha256sum </etc/beaconmon/beaconmon.toml >edited
  daemon=$(pid_of beaconmond) notifier=$(pid_of beaconmon-notifier)

  check "the packages install over it without a question" dpkg -i new/*.deb
  check "the daemon of the package runs, and no longer the old one" eventually 30 restarted beaconmond "$daemon"
  check "the notifier of the package runs, and no longer the old one" eventually 30 restarted beaconmon-notifier "$notifier"
  check "they are the installed files" eval '[ "$(readlink /proc/$(pid_of beaconmond)/exe)" = /usr/bin/beaconmon ] && [ "$(readlink /proc/$(pid_of beaconmon-notifier)/exe)" = /usr/bin/beaconmon ]'
  check "AppArmor confines the daemon of the package" confined beaconmond
  check "the services stay enabled" systemctl is-enabled beaconmond beaconmon-notifier
  check "the edited config is kept" [ "$(sha256sum </etc/beaconmon/beaconmon.toml)" = "$(cat edited)" ]
  check "the events are kept with their numbers" eventually 30 eval 'kept_events | head -n "$(wc -l <events-before)" | cmp - events-before'
  check "the region is inside" eventually 40 says 'door +inside' beaconmon status
  check "nothing entered or left" eval 'recorded enter 1 && recorded exit 0'
}
