/// The names of the bus interface of beaconmon-web for logins.
public enum WebNames {
  public static let bus = "org.beaconmon.Web1"
  public static let path = "/org/beaconmon/Web1"
  public static let interface = "org.beaconmon.Web1"
}
