import Glibc

/// The text of a configuration file.
enum ConfigurationFile {
  static let largest = 1 << 20

  /// The most octets of a file, and the kind of the file in the error.
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

  /// Replaces the text of a file atomically: a reader sees either the old text or the new one.
  ///
  /// The file keeps its mode, and its owner where that is permitted.
  static func replace(_ path: String, with text: String) throws(ConfigurationError) {
    try NewText(of: path, text).install()
  }

  /// Replaces the texts of several files, each atomically, and none of them if one cannot be written.
  static func replace(_ files: [(name: String, text: String)]) throws(ConfigurationError) {
    var new: [NewText] = []
    var old: [(name: String, text: String)] = []
    do throws(ConfigurationError) {
      for file in files {
        old.append((file.name, try text(of: file.name)))
        new.append(try NewText(of: file.name, file.text))
      }
    } catch {
      for text in new { text.discard() }
      throw error
    }
    for (index, text) in new.enumerated() {
      do throws(ConfigurationError) { try text.install() } catch {
        for text in new[(index + 1)...] { text.discard() }
        // Written a moment ago, these files can be written again, unless the disk fails.
        for file in old[..<index] { try? replace(file.name, with: file.text) }
        throw error
      }
    }
  }

  /// The new text of a file, complete on the disk beside it.
  private struct NewText {
    private let path: String
    private let file: String
    private let temporary: String

    init(of path: String, _ text: String) throws(ConfigurationError) {
      self.path = path
      // If the path is a link, the link stays, and its target is replaced.
      let target = realpath(path, nil).map { resolved in
        defer { free(resolved) }
        return String(cString: resolved)
      }
      file = target ?? path
      var status = stat()
      let exists = stat(file, &status) == 0
      guard !exists || status.st_mode & S_IFMT == S_IFREG else {
        throw .invalid([
          ConfigurationProblem(
            file: path, line: nil, column: nil, message: "is not a regular file, but a folder, device or link to one; remove it")
        ])
      }
      let mode = exists ? status.st_mode & 0o7777 : 0o644
      temporary = "\(file).\(getpid())"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .unwritable(file: path, code: errno) }
      var code = write(text, to: descriptor)
      if code == 0, target != nil { _ = fchown(descriptor, status.st_uid, status.st_gid) }
      if code == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { code = errno }
      close(descriptor)
      guard code == 0 else {
        discard()
        throw .unwritable(file: path, code: code)
      }
    }

    func discard() { unlink(temporary) }

    func install() throws(ConfigurationError) {
      guard rename(temporary, file) != 0 else { return }
      let code = errno
      discard()
      throw .unwritable(file: path, code: code)
    }
  }

  /// Returns zero, or the `errno`.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  private static func bytes(of path: String, at location: String, _ limit: Limit) throws(ConfigurationError) -> [UInt8] {
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
      guard bytes.count <= limit.octets else {
        let message = "is larger than \(limit.octets >> 20) MiB, the limit for \(limit.kind); check the path"
        throw .invalid([ConfigurationProblem(file: path, line: nil, column: nil, message: message)])
      }
    }
  }
}
