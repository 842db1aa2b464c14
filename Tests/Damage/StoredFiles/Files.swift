import EventLoop
import Glibc

/// Operations on whole files and folders, without Foundation: a trial runs in a child that was forked and not executed.
public enum Files {
  public static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemCallError.last("open", path) }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw SystemCallError.last("read", path) }
      if count == 0 { return octets }
      octets += chunk[..<count]
    }
  }

  public static func write(_ octets: some Collection<UInt8>, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemCallError.last("open", path) }
    defer { close(descriptor) }
    var rest = Array(octets)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw SystemCallError.last("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  public static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 else { throw SystemCallError.last("mkdir", path) }
  }

  /// Copies the plain files, the links and the empty folders of one folder into another, which is created.
  public static func copyFolder(_ source: String, to target: String) throws {
    try makeFolder(target)
    for name in try names(source) {
      var status = stat()
      guard lstat("\(source)/\(name)", &status) == 0 else { throw SystemCallError.last("lstat", name) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try makeFolder("\(target)/\(name)")
      case S_IFLNK:
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("\(source)/\(name)", &buffer, buffer.count)
        guard count >= 0 else { throw SystemCallError.last("readlink", name) }
        let destination = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard symlink(destination, "\(target)/\(name)") == 0 else { throw SystemCallError.last("symlink", name) }
      case S_IFREG: try write(try read("\(source)/\(name)"), to: "\(target)/\(name)")
      default:
        guard mkfifo("\(target)/\(name)", 0o600) == 0 else { throw SystemCallError.last("mkfifo", name) }
      }
    }
  }

  /// Removes the file or folder at the path with its contents, if it exists.
  public static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    do {
      for name in try names(path) { remove("\(path)/\(name)") }
    } catch {
      // A folder that cannot be listed cannot be emptied. Then rmdir leaves it, and the caller's next mkdir fails.
    }
    rmdir(path)
  }

  public static func names(_ folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw SystemCallError.last("opendir", folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// Writes a line unbuffered: a buffered line would appear twice when a trial forks.
public func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
  let octets = Array((line + "\n").utf8)
  _ = octets.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
