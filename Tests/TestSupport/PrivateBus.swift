import Foundation

/// A real dbus-daemon of the test's own, on a socket in a folder of its own.
public final class PrivateBus {
  public let directory: TemporaryDirectory
  public let address: String
  private var daemon: Process

  /// Returns once the bus accepts connections.
  public init() throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    daemon = try Self.start(at: address)
  }

  deinit {
    kill()
  }

  /// The bus dies without a word, its socket file stays.
  public func kill() {
    guard daemon.isRunning else { return }
    Foundation.kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  /// Stops it from answering; `thaw` lets it go on.
  public func freeze() {
    Foundation.kill(daemon.processIdentifier, SIGSTOP)
  }

  public func thaw() {
    Foundation.kill(daemon.processIdentifier, SIGCONT)
  }

  /// Another daemon at the same address.
  public func restart() throws {
    kill()
    try FileManager.default.removeItem(atPath: directory.file("bus"))
    daemon = try Self.start(at: address)
  }

  private static func start(at address: String) throws -> Process {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    process.arguments = ["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address", "--address=\(address)"]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints the address when it listens.
    guard !pipe.fileHandleForReading.availableData.isEmpty else { throw Timeout() }
    return process
  }
}
