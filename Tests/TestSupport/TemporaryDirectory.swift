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
}
