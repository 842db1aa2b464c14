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
  ///
  /// A process that is killed before `install` leaves its text there. The next change of the file removes it, because the lock of that
  /// process has ended with it.
  private struct NewText {
    private let path: String
    private let file: String
    private let temporary: String
    /// The descriptor with the lock that keeps other processes from removing the text.
    private let lock: Int32

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
      Self.removeRemains(of: file)
      let (folder, name) = Self.parts(of: file)
      temporary = "\(folder).\(name).\(getpid())\(Self.suffix)"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .unwritable(file: path, code: errno) }
      lock = descriptor
      var code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
      // Some network file systems have no locks.
      if code == EOPNOTSUPP || code == ENOLCK { code = 0 }
      if code == 0 { code = write(text, to: descriptor) }
      if code == 0, target != nil { _ = fchown(descriptor, status.st_uid, status.st_gid) }
      if code == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { code = errno }
      guard code == 0 else {
        discard()
        throw .unwritable(file: path, code: code)
      }
    }

    func discard() {
      unlink(temporary)
      close(lock)
    }

    func install() throws(ConfigurationError) {
      guard rename(temporary, file) != 0 else {
        close(lock)
        return
      }
      let code = errno
      discard()
      throw .unwritable(file: path, code: code)
    }

    private static let suffix = ".new"

    private static func parts(of file: String) -> (folder: String, name: String) {
      let folder = ConfigurationFiles.folder(of: file)
      return (folder, String(file.dropFirst(folder.count)))
    }

    /// Removes the texts of processes that were killed.
    private static func removeRemains(of file: String) {
      let (folder, name) = parts(of: file)
      // An entry ends with its name. Read as a value of its type, it would be read beyond that.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name), let stream = opendir(folder.isEmpty ? "." : folder) else {
        return
      }
      defer { closedir(stream) }
      var remains: [String] = []
      while let entry = readdir(stream) {
        let found = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
        let middle = found.dropFirst(name.utf8.count + 2).dropLast(suffix.count)
        if found.hasPrefix(".\(name)."), found.hasSuffix(suffix), !middle.isEmpty, middle.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
          remains.append(folder + found)
        }
      }
      for path in remains {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { continue }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
        close(descriptor)
      }
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
