import Foundation

/// A real gpsd with receivers of the test's own.
public final class GPSDDaemon {
  public let port: UInt16
  private let process = Process()

  public init(port: UInt16, devices: [String] = []) throws {
    self.port = port
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/gpsd")
    process.arguments = ["-N", "-S", "\(port)"] + devices
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
