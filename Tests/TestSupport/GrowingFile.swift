import Foundation

/// The lines of a file that another process appends to.
///
/// Each line is read once, so that polling a long file is cheap.
final class GrowingFile {
  private let path: String
  private var offset: UInt64 = 0

  /// Creates a reader of a file that need not exist yet.
  init(_ path: String) {
    self.path = path
  }

  /// Returns the lines finished since the last call, without their ends.
  func newLines() throws -> [Data] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    let data = try file.readToEnd() ?? Data()
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let whole = data[...end]
    offset += UInt64(whole.count)
    return whole.split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }
}
