import Foundation

/// A real dbus-daemon of the test, on a socket in a folder of its own.
public final class PrivateBus {
  // Killed before its folder is removed.
  private var daemon: Child
  public let directory: TemporaryDirectory
  public let address: String
  private let configuration: [String]

  /// Returns once the bus accepts connections.
  ///
  /// - Parameter policies: XML inside of `busconfig`, for a system bus to which every user may connect; nil for a session bus.
  public init(policies: String? = nil) throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    if let policies {
      let text = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          \(policies)
        </busconfig>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("bus.conf")))
      configuration = ["--config-file=\(directory.file("bus.conf"))"]
      chmod(directory.path, 0o755)
    } else {
      configuration = ["--session"]
    }
    daemon = try Self.start(at: address, configuration)
  }

  /// Creates a session bus for every user that starts the services of `folder`. Returns once it accepts connections.
  public init(services folder: String) throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    let text = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(folder)</servicedir>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
        </policy>
      </busconfig>
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("bus.conf")))
    configuration = ["--config-file=\(directory.file("bus.conf"))"]
    chmod(directory.path, 0o755)
    daemon = try Self.start(at: address, configuration)
  }

  /// Kills the bus. Its socket file stays.
  public func kill() { daemon.kill() }

  /// Stops the bus from answering until `thaw`.
  public func freeze() { daemon.signal(SIGSTOP) }

  public func thaw() { daemon.signal(SIGCONT) }

  /// Starts another dbus-daemon at the same address.
  public func restart() throws {
    kill()
    try FileManager.default.removeItem(atPath: directory.file("bus"))
    daemon = try Self.start(at: address, configuration)
  }

  private static func start(at address: String, _ configuration: [String]) throws -> Child {
    let pipe = Pipe()
    let arguments = configuration + ["--nofork", "--nopidfile", "--nosyslog", "--print-address", "--address=\(address)"]
    let process = try Child("/usr/bin/dbus-daemon", arguments, output: .pipe(pipe), errors: .nothing)
    // The daemon prints the address when it listens.
    guard !pipe.fileHandleForReading.availableData.isEmpty else { throw Timeout() }
    return process
  }
}
