/// A real GeoClue on a private bus of the system's kind, fed by a socket that speaks NMEA.
public final class GeoClueService {
  public static let policies = """
    <policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
    </policy>
    """

  private let process: Child

  public init(on bus: PrivateBus, nmeaSocket: String) throws {
    process = try Child(
      "/usr/libexec/geoclue", ["-t", "0", "-u", nmeaSocket], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], errors: .nothing)
  }

  public func kill() { process.kill() }
}
