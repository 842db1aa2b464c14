import Foundation

/// A folder that is removed with this object.
public final class TemporaryDirectory {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("beaconmon-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      FileHandle.standardError.write(Data("cannot remove \(path): \(error)\n".utf8))
    }
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a script that can be run, and returns its path.
  ///
  /// Another program writes it, because a child that a parallel test starts meanwhile holds the open files of this process until it runs
  /// its own program, and the kernel refuses to run a file that is open for writing (ETXTBSY).
  @discardableResult public func program(_ name: String, _ script: String) throws -> String {
    let text = file("\(name).text")
    try script.write(toFile: text, atomically: false, encoding: .utf8)
    try Child.run("/usr/bin/install", ["-m", "755", text, file(name)])
    try FileManager.default.removeItem(atPath: text)
    return file(name)
  }
}
