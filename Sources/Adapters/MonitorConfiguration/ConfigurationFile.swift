import EventLoop
import Glibc

/// The text of a configuration file.
enum ConfigurationFile {
  static let largest = 1 << 20

  /// The maximum number of octets of a file, and the kind of the file in the error.
  struct Limit {
    let octets: Int
    let kind: String

    static let configuration = Limit(octets: largest, kind: "a configuration")
    static let survey = Limit(octets: 4 << 20, kind: "a survey")
  }

  /// Returns the text. Throws if the file cannot be read, is too large or is not UTF-8.
  ///
  /// - Parameters:
  ///   - path: The name of the file in errors.
  ///   - location: The path to open; nil if it is the same.
  static func text(
    of path: String, at location: String? = nil, limit: Limit = .configuration
  ) throws(ConfigurationError) -> String {
    let bytes = try bytes(of: path, at: location ?? path, limit)
    do throws(UTF8.ValidationError) { return String(copying: try UTF8Span(validating: bytes.span)) } catch {
      let line = 1 + bytes[..<error.byteOffsets.lowerBound].count { $0 == UInt8(ascii: "\n") }
      throw .invalid([ConfigurationProblem(file: path, line: line, column: nil, message: "is not UTF-8; save the file as UTF-8")])
    }
  }

  /// Returns the text of a file that may be damaged: invalid octets are replaced, and a file that is too large is cut.
  static func damagedText(of path: String) throws(ConfigurationError) -> String {
    String(decoding: try bytes(of: path, at: path, .configuration, cuts: true), as: UTF8.self)
  }

  /// Replaces the text of a file atomically: a reader sees either the old text or the new one.
  ///
  /// The file keeps its mode, and its owner where that is permitted.
  static func replace(_ path: String, with text: String) throws(ConfigurationError) {
    try install(new(path, text), as: path)
  }

  /// Replaces the texts of several files, each atomically, and none of them if one cannot be written.
  static func replace(_ files: [(name: String, text: String)]) throws(ConfigurationError) {
    var changes: [(path: String, old: String, new: NewFile)] = []
    for file in files { changes.append((file.name, try text(of: file.name), try new(file.name, file.text))) }
    for (index, change) in changes.enumerated() {
      do throws(ConfigurationError) { try install(change.new, as: change.path) } catch {
        // Written a moment ago, these files can be written again, unless the disk fails.
        for change in changes[..<index] { try? replace(change.path, with: change.old) }
        throw error
      }
    }
  }

  /// Returns the new text of a file, to be installed. Throws for a folder or a device.
  private static func new(_ path: String, _ text: String) throws(ConfigurationError) -> NewFile {
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw .invalid([
        ConfigurationProblem(
          file: path, line: nil, column: nil, message: "is not a regular file, but a folder, device or link to one; remove it")
      ])
    }
    do throws(SystemCallError) { return try NewFile(of: path, text) } catch { throw .unwritable(file: path, code: error.code) }
  }

  private static func install(_ new: NewFile, as path: String) throws(ConfigurationError) {
    do throws(SystemCallError) { try new.install() } catch { throw .unwritable(file: path, code: error.code) }
  }

  private static func bytes(of path: String, at location: String, _ limit: Limit, cuts: Bool = false) throws(ConfigurationError) -> [UInt8]
  {
    let descriptor = open(location, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(file: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(file: path, code: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if cuts, bytes.count > limit.octets { return Array(bytes.prefix(limit.octets)) }
      guard bytes.count <= limit.octets else {
        let message = "is larger than \(limit.octets >> 20) MiB, the limit for \(limit.kind); check the path"
        throw .invalid([ConfigurationProblem(file: path, line: nil, column: nil, message: message)])
      }
    }
  }
}
