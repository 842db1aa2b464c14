# Users without root: a notifier for a user who is not logged in, an app that is woken, an offer that is opened, a daemon of a session, and a serial receiver of
# locations.
# serial: yes
# limit: 480

boot_1() {
  packets
  plug_radio
  venue
  configure <<'END'
source = "auto"
venues = ["museum.toml"]
END
  serial_receiver

  apps
  loginctl enable-linger visitor
  check "a user who lingers has a service manager" eventually 60 user visitor systemctl --user is-active default.target
  check "the notifier of the user starts" user visitor systemctl --user enable --now beaconmon-notifier
  start notifications user visitor guide-app notifications
  check "a visitor's app may not register a region before consent" eval '! user visitor guide-app register'
  beaconmon privacy grant visitor --always || beaconmon privacy grant visitor
  check "with consent it registers a region" user visitor guide-app register
  check "an event of the region" eval 'advertise_museum; eventually 40 says "museum" beaconmon privacy'
  check "the app is woken and gets the event" eventually 60 grep -q "'event': 'enter', 'region': 'museum', 'appId': 'org.example.Guide'" /home/visitor/woken
  radio stop museum

  radio advertise hall C0:00:00:00:00:07 "$(frame 00000000-0000-0000-0000-0000000000aa 3 1 -59)" 100 -60
  check "the user who enters a venue gets its offer" eventually 60 logged notifications 'The museum'
  check "an offer that is opened launches the app of its desktop file" eventually 60 grep -q launched /home/visitor/launched
  check "the app outlives its launcher, in a unit of its own" eventually 20 pgrep -u visitor -x sleep

  mkdir -p /home/visitor/.local/share/dbus-1/services
  cp /usr/share/beaconmon/dbus-session/* /home/visitor/.local/share/dbus-1/services/
  chown -R visitor: /home/visitor/.local
  user visitor busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig
  check "the bus of a session starts a daemon of the user's own" user visitor busctl --user call org.beaconmon.Monitor1 /org/beaconmon/Monitor1 org.freedesktop.DBus.Peer Ping
  check "its status is the user's alone" says 'source' user visitor beaconmon status --session
  check "the packages can be removed while a user lingers" dpkg --remove beaconmon-notifier beaconmon
  check "a removal stops the programs of a user who lingers" eventually 20 eval '! pgrep -u visitor -f "/usr/bin/beaconmon(d|-notifier)"'
}

advertise_museum() { radio advertise museum C0:00:00:00:00:09 "$(frame $uuid 1 9 -59)" 100 -60; }

# apps: the guide, which the bus starts, and a viewer, which only has a desktop file.
apps() {
  install -m 755 app /usr/local/bin/guide-app
  mkdir -p /usr/share/applications /usr/share/dbus-1/services
  cat >/usr/share/applications/org.example.Viewer.desktop <<'END'
[Desktop Entry]
Type=Application
Name=Viewer
Exec=/usr/local/bin/viewer
END
  cat >/usr/share/dbus-1/services/org.example.Guide.service <<'END'
[D-BUS Service]
Name=org.example.Guide
Exec=/usr/local/bin/guide-app show
END
  printf '#!/bin/sh\necho launched >~/launched\nexec sleep 987\n' >/usr/local/bin/viewer
  chmod +x /usr/local/bin/viewer
}

venue() {
  cat >/etc/beaconmon/museum.toml <<'END'
format = 1
id = "museum"
name = "The museum"
uuid = "00000000-0000-0000-0000-0000000000aa"

[nearby]
app = "org.example.Viewer.desktop"
text = "Open the viewer"

[[beacon]]
major = 3
minor = 1
position = [2, 2]
END
}

# A receiver at a USB port: a line each for time, place and quality, once a second.
serial_receiver() {
  modprobe xhci_pci
  modprobe ftdi_sio
  check "a receiver at a USB port is a serial line" eventually 20 [ -c /dev/ttyUSB0 ]
  start receiver feed_receiver
  cat >>/etc/beaconmon/beaconmon.toml <<'END'
[location.nmea]
device = "/dev/ttyUSB0"
END
  install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/location.conf
  systemctl daemon-reload
  check "with location.conf the daemon starts" systemctl restart beaconmond
  check "the receiver gives a fix" eventually 60 says '48\.117' beaconmon locate --timeout 10s
}

feed_receiver() {
  local line
  while :; do
    for line in "GPGGA,$(date -u +%H%M%S).00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,," "GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.8,1.0,1.5" \
      "GPRMC,$(date -u +%H%M%S).00,A,4807.0380,N,01131.0000,E,0.0,0.0,$(date -u +%d%m%y),,,A"; do
      printf '$%s*%s\r\n' "$line" "$(checksum "$line")"
    done >/dev/virtio-ports/receiver
    # One epoch a second, as receivers send.
    sleep 1
  done
}
checksum() {
  local sum=0 i
  for ((i = 0; i < ${#1}; i++)); do sum=$((sum ^ $(printf '%d' "'${1:i:1}"))); done
  printf '%02X' $sum
}
