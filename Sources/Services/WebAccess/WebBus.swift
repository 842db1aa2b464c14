/// The names of beaconmon-web on the bus.
public enum WebBus {
  public static let name = "org.beaconmon.Web1"
  public static let path = "/org/beaconmon/Web1"
  public static let interface = "org.beaconmon.Web1"
}
