import EventLoop
import Foundation

/// A real gpsd to which gpsfake plays a file of sentences, each when the test asks for it: `-i` waits for a return before it.
///
/// gpsfake does not end by itself while somebody watches, nor by a polite signal; it and its gpsd are a process group, which dies with this object.
public final class GPSFake {
  public let port: UInt16
  private let process = Process()
  private let input = Pipe.own()
  private let folder: TemporaryDirectory

  /// - Parameter text: NMEA 0183.
  public init(port: UInt16, playing text: String) throws {
    self.port = port
    folder = try TemporaryDirectory()
    let file = folder.file("receiver.nmea")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gpsfake")
    process.arguments = ["-1", "-q", "-p", "-i", "-P", "\(port)", file]
    // For its socket.
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runAlone()
    guard getpgid(process.processIdentifier) == process.processIdentifier else {
      process.terminate()
      throw SystemCallError(call: "getpgid", subject: "gpsfake", code: EPERM)
    }
  }

  deinit {
    kill()
  }

  /// Plays so many more sentences.
  public func play(_ count: Int) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: count))
  }

  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(-process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
