# The page in the browser: installed, off until it is switched on, a login, data of the daemon, its confinement, and the removal.
# packages: page
# limit: 300

boot_1() {
  packets
  plug_radio
  door_config 'exit-delay = "6s"' | configure
  check "the package of the page installs" dpkg -i page/*.deb
  check "the page is off until it is switched on" eval '! systemctl --quiet is-enabled beaconmon-web && ! systemctl --quiet is-active beaconmon-web'
  check "the page can be switched on" systemctl enable --now beaconmon-web
  check "it started at the first attempt" is beaconmon-web NRestarts 0
  check "AppArmor confines the page" confined beaconmon-web
  exposure beaconmon-web 1.5
  advertise_door
  check "the beacon enters" eventually 60 recorded enter 1
  check "a visitor may make no login" eval '! as visitor beaconmon web login'
  check "a login reads the events" eventually 20 says '"region":"door"' eval './visit "$(beaconmon web login)" "/api/events?last=5"'
  check "the page may follow the daemon" says '"state":"running"' eval './visit "$(beaconmon web login)" /api/live'
  check "a login to view reads no venue file" says '^403 ' eval './visit "$(beaconmon web login)" "/api/venue?venue=none"'
  check "polkit permits the page to read a venue file" says '^404 ' eval './visit "$(beaconmon web login --edit)" "/api/venue?venue=none"'
  check "a restart keeps the page" eval 'systemctl restart beaconmon-web && eventually 20 says "\"role\":\"view\"" ./visit "$(beaconmon web login)" /api/session'
  echo "figure memory of the page: $(memory_of beaconmon-web VmRSS) KiB" >&3
  check "the package can be purged" dpkg --purge beaconmon-web
  check "a purge leaves no file of the page behind" eval '! find /etc /usr /lib/systemd /var/lib /var/cache -xdev -name "*beaconmon-web*" -not -name "*.list" | grep .'
}
