/// A real gpsd with receivers of the test.
public final class GPSDDaemon {
  public let port: UInt16
  private let process: Child

  public init(port: UInt16, devices: [String] = []) throws {
    self.port = port
    process = try Child("/usr/sbin/gpsd", ["-N", "-S", "\(port)"] + devices, errors: .nothing)
  }

  public func kill() { process.kill() }
}
