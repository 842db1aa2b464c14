/// The drop-in that permits the unit of the service to use the network, devices and the clock.
enum LocationDropIn {
  static let path = "/usr/share/beaconmon/location.conf"
}
