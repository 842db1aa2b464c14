/// What gives the unit of the service the network, the devices and the clock that sources need.
enum LocationDropIn {
  static let path = "/usr/share/beaconmon/location.conf"
}
