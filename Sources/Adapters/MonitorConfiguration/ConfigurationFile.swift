import Glibc

/// The text of a configuration file.
enum ConfigurationFile {
  static let largest = 1 << 20

  /// Fails when the file cannot be read, is larger than 1 MiB or is not UTF-8.
  static func text(of path: String) throws(ConfigurationError) -> String {
    let bytes = try bytes(of: path)
    do throws(UTF8.ValidationError) { return String(copying: try UTF8Span(validating: bytes.span)) } catch {
      let line = 1 + bytes[..<error.byteOffsets.lowerBound].count { $0 == UInt8(ascii: "\n") }
      throw .invalid([ConfigurationProblem(file: path, line: line, column: nil, message: "is not UTF-8; save the file in that encoding")])
    }
  }

  private static func bytes(of path: String) throws(ConfigurationError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
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
      guard bytes.count <= largest else {
        let message = "is larger than 1 MiB; a configuration is never that large, check the path"
        throw .invalid([ConfigurationProblem(file: path, line: nil, column: nil, message: message)])
      }
    }
  }
}
