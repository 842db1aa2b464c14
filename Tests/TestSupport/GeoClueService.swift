import Foundation

/// A real GeoClue on a private bus of the system's kind, fed by a socket that speaks NMEA.
public final class GeoClueService {
  public static let policies = """
    <policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
    </policy>
    """

  private let process = Process()

  public init(on bus: PrivateBus, nmeaSocket: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/libexec/geoclue")
    process.arguments = ["-t", "0", "-u", nmeaSocket]
    process.environment = ProcessInfo.processInfo.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runAlone()
  }

  deinit {
    kill()
  }

  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
