import Foundation

/// A real gpsd to which gpsfake plays a file of sentences, each on the test's request.
///
/// With `-i`, gpsfake waits for a return before each sentence. gpsfake does not end by itself while a client watches, nor by SIGTERM. It
/// and its gpsd are a process group, which is killed with this object.
public final class GPSFake {
  public let port: UInt16
  private let process: Child
  private let input = Pipe()
  private let folder: TemporaryDirectory

  /// - Parameter text: The sentences, in NMEA 0183.
  public init(port: UInt16, playing text: String) throws {
    self.port = port
    folder = try TemporaryDirectory()
    let file = folder.file("receiver.nmea")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    // The folder contains its socket.
    process = try Child(
      "/usr/bin/gpsfake", ["-1", "-q", "-p", "-i", "-P", "\(port)", file], environment: ["TMPDIR": folder.path], input: .pipe(input),
      errors: .nothing)
  }

  /// Plays `count` more sentences.
  public func play(_ count: Int) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: count))
  }

  public func kill() { process.kill() }
}
