import Glibc

/// The new content of a file, which is written completely beside the file, and then replaces it at once.
///
/// A reader, or a start after a crash, finds the old content or the new one. Content that is not installed is removed with the value. A
/// process that is killed before leaves its content there; the next new file of the path removes it, because the lock of that process has
/// ended with it.
public final class NewFile {
  private let file: String
  private let temporary: String
  /// The descriptor has the lock that keeps other processes from removing the content.
  private let descriptor: FileDescriptor
  private let isDurable: Bool
  private var isInstalled = false

  /// Writes a text as the content.
  ///
  /// - Parameters:
  ///   - path: the path of the file; the target of a link is replaced, and the link remains.
  ///   - mode: the permissions; nil for those of the present file, whose owner is kept where that is permitted, or else 0644.
  ///   - isDurable: whether to wait until the content is on the disk; otherwise a power cut can leave an empty file.
  public convenience init(of path: String, _ text: String, mode: mode_t? = nil, isDurable: Bool = true) throws(SystemCallError) {
    try self.init(of: path, octets: Array(text.utf8), mode: mode, isDurable: isDurable)
  }

  /// Writes octets as the content.
  public convenience init(of path: String, octets: [UInt8], mode: mode_t? = nil, isDurable: Bool = true) throws(SystemCallError) {
    try self.init(of: path, mode: mode, isDurable: isDurable) { file throws(SystemCallError) in
      try FileDescriptor.write(octets[...], to: file.number)
    }
  }

  /// Writes the content with `write`, which may set the owner and the attributes of the file as well.
  public init(
    of path: String, mode: mode_t? = nil, isDurable: Bool = true, write: (borrowing FileDescriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    self.isDurable = isDurable
    file = Self.resolved(path)
    var status = stat()
    let exists = stat(file, &status) == 0
    let permissions = mode ?? (exists ? status.st_mode & 0o7777 : 0o644)
    Self.removeRemains(of: file)
    temporary = "\(Folder.parent(of: file)).\(Self.name(of: file)).\(getpid())\(Self.suffix)"
    let raw = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    guard raw >= 0 else { throw .last("open", temporary) }
    descriptor = FileDescriptor(owning: raw)
    // Some network file systems have no locks.
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 || errno == EOPNOTSUPP || errno == ENOLCK else { throw failure("flock") }
    do throws(SystemCallError) { try write(descriptor) } catch {
      throw SystemCallError(call: error.call, subject: temporary, code: error.code)
    }
    if mode == nil, exists { _ = fchown(raw, status.st_uid, status.st_gid) }
    guard mode != nil || fchmod(raw, permissions) == 0 else { throw failure("fchmod") }
    guard !isDurable || fsync(raw) == 0 else { throw failure("fsync") }
  }

  deinit {
    if !isInstalled { unlink(temporary) }
  }

  /// Takes the place of the file. Throws `EEXIST` for a file that must not be replaced.
  public func install(replaces: Bool = true) throws(SystemCallError) {
    if !replaces {
      // Unlike rename(2), link(2) never replaces a file. The name of the new content is removed with the value.
      if link(temporary, file) == 0 { return synchronise() }
      // Some file systems have no links, such as that of a memory card.
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw failure("link", file) }
      var status = stat()
      guard lstat(file, &status) != 0 else { throw SystemCallError(call: "link", subject: file, code: EEXIST) }
    }
    guard rename(temporary, file) == 0 else { throw failure("rename", file) }
    isInstalled = true
    synchronise()
  }

  /// Waits until the new name is on the disk, too.
  private func synchronise() {
    guard isDurable else { return }
    let folder = open(Folder.parent(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func failure(_ call: String, _ subject: String? = nil) -> SystemCallError { .last(call, subject ?? temporary) }

  private static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }
}

// MARK: - Private files

extension NewFile {
  /// Replaces a small file that only its owner may read.
  ///
  /// A reader, or a start after a crash, finds the old text or the new one.
  ///
  /// - Parameter isDurable: whether to wait until the text is on the disk; otherwise a power cut can leave an empty file.
  public static func replacePrivate(_ path: String, with text: String, isDurable: Bool) throws(SystemCallError) {
    try NewFile(of: path, text, mode: 0o600, isDurable: isDurable).install()
  }
}

// MARK: - Remains

extension NewFile {
  private static let suffix = ".new"

  /// Returns the name of a file for the name of its new content.
  ///
  /// A long name is cut, because a name has at most 255 octets.
  private static func name(of file: String) -> String {
    let name = file[(file.lastIndex(of: "/").map(file.index(after:)) ?? file.startIndex)...]
    return name.utf8.count <= 200 ? String(name) : String(decoding: name.utf8.prefix(200), as: UTF8.self)
  }

  /// Removes the content of processes that were killed.
  private static func removeRemains(of file: String) {
    let (folder, beginning) = (Folder.parent(of: file), ".\(name(of: file)).")
    for found in Folder.hiddenNames(in: folder) where found.hasPrefix(beginning) && found.hasSuffix(suffix) {
      let process = found.dropFirst(beginning.count).dropLast(suffix.count)
      guard !process.isEmpty, process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
      let raw = open(folder + found, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard raw >= 0 else { continue }
      if flock(raw, LOCK_EX | LOCK_NB) == 0 { unlink(folder + found) }
      close(raw)
    }
  }
}
