# Signed rollouts reach the installed services: they are tried, confirmed, and given up by themselves, across power cuts and without the notifier.
# boots: 3
# limit: 2400

fleet=/var/lib/lab/fleet

boot_1() {
  check "the system boots without a failed unit" eventually 60 healthy
  set-clock "$(date +%s)"
  packets
  plug_radio
  enrol
  broker
  check "the device reaches the hub" eventually 90 says '^hub +connected' beaconmon status
  check "the package has made the folder of the rollouts" [ "$(stat -c '%U %a' /var/lib/beaconmon-rollout)" = 'beaconmon 755' ]

  check "a rollout is on trial" on_trial 3 yard
  check "the daemon, which is not root, reads it" eval '[ "$(ps -o user= -p "$(pid_of beaconmond)")" = beaconmon ] && says "^yard" beaconmon status'
  check "AppArmor confines the daemon that reads it" confined beaconmond
  check "AppArmor confines the notifier that has written it" confined beaconmon-notifier
  check "it is confirmed after a minute of health" eventually 300 state 'revision 3, confirmed'
  openssl genpkey -algorithm ed25519 -out forged.pem
  check "one of another author is refused" eventually 60 eval 'send 9 yard forged.pem && state "revision 9 refused: the signature is not by the rollout-key"'
  check "the daemon keeps the confirmed one" says '^yard' beaconmon status

  check "another rollout is on trial" on_trial 4 attic
  stop broker
  # The notifier writes the time of a trial once a minute.
  sleep 70
  sync
  echo cut >&3
  # The host kills the machine within a second.
  sleep 60
}

boot_2() {
  check "the system boots after the power cut without a failed unit" eventually 60 healthy
  set-clock "$(date +%s)"
  plug_radio
  check "after the power cut, the trial goes on" eventually 120 eval 'state "revision 4, on trial since" && says "^attic" beaconmon status'
  check "a device that stays offline returns to the former rollout" eventually 700 state 'revision 4 rolled back: the hub has acknowledged no report'
  check "the daemon follows" eventually 60 regions_are yard
  broker
  check "the device reaches the hub again" eventually 180 says '^hub +connected' beaconmon status

  check "a third rollout is on trial" on_trial 5 attic
  stop controller-0 KILL
  check "a device that is unhealthy returns as well" eventually 760 state 'revision 5 rolled back: the daemon is unhealthy'
  check "the daemon follows again" eventually 60 regions_are yard
  plug_radio
  check "a last rollout is on trial" on_trial 6 attic
  check "the notifier can be removed during a trial" dpkg --remove beaconmon-notifier
  sync
  echo cut >&3
  # The host kills the machine within a second.
  sleep 60
}

boot_3() {
  check "the daemon runs without the notifier" eventually 60 active beaconmond
  check "without the notifier, the trial has ended with the boot" eventually 60 regions_are yard
  check "the status has the reason" says 'the trial of rollout 6 has ended without the notifier' beaconmon status
}

# enrol: makes the authority, the certificates and the author's key, and configures the device.
enrol() {
  local key name
  mkdir -p $fleet
  openssl req -x509 -batch -days 30 -subj /CN=fleet -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $fleet/ca.key -out $fleet/ca.crt
  for name in localhost berlin.door; do
    openssl req -new -batch -subj "/CN=$name" -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $fleet/$name.key -out $fleet/$name.csr
    openssl x509 -req -days 30 -in $fleet/$name.csr -CA $fleet/ca.crt -CAkey $fleet/ca.key -CAcreateserial -out $fleet/$name.crt \
      -extfile <(echo "subjectAltName=DNS:$name")
  done
  chmod 755 /var/lib/lab $fleet
  chmod 644 $fleet/*.crt $fleet/localhost.key
  key=$(rollout key $fleet)
  install -m 644 $fleet/ca.crt /etc/beaconmon/hub-ca.pem
  install -m 644 $fleet/berlin.door.crt /etc/beaconmon/hub.pem
  install -m 600 $fleet/berlin.door.key /etc/beaconmon/hub.key
  drop_in beaconmon-notifier hub <<'END'
[Service]
LoadCredential=hub-key:/etc/beaconmon/hub.key
END
  printf '%s\n' '[notifier.hub]' 'url = "mqtts://localhost"' 'site = "berlin"' 'device = "door"' 'certificate = "/etc/beaconmon/hub.pem"' \
    'key = { credential = "hub-key" }' 'ca = "/etc/beaconmon/hub-ca.pem"' "rollout-key = \"$key\"" >/etc/beaconmon/conf.d/60-hub.toml
  door_config | configure
}

# broker: starts the broker of the fleet. The hub uses a port without encryption.
broker() {
  printf '%s\n' 'per_listener_settings true' 'persistence false' 'listener 8883 127.0.0.1' "cafile $fleet/ca.crt" "certfile $fleet/localhost.crt" \
    "keyfile $fleet/localhost.key" 'require_certificate true' 'use_identity_as_username true' 'listener 1883 127.0.0.1' 'allow_anonymous true' >broker.conf
  start broker mosquitto -c broker.conf
}

# send REVISION REGION [KEY]: sends a rollout with a region.
send() { region "$2" 4 | rollout send $fleet "$1" ${3:-}; }

# on_trial REVISION REGION: sends it, as the hub does until it is acknowledged, and waits until the daemon uses it.
on_trial() {
  eventually 60 eval "send $1 $2 && state 'revision $1, on trial since'" && eventually 60 says "^$2" beaconmon status
}

# state TEXT: the status has a rollout in this state. Its lines wrap at 80 columns.
state() { says "$1" eval 'beaconmon status | tr -s "\n " " "'; }

# regions_are REGION: this region of the rollouts and no other one is in use.
regions_are() {
  beaconmon status
  [ "$(beaconmon status | grep -oE '^(yard|attic)' | sort)" = "$1" ]
}
