internal import CGExiv2
import EventLoop
import Glibc

/// A file that is written beside its place and takes it at once, with the mode, the owner and the attributes of another.
struct ReplacedFile {
  private let path: String
  private let folder: String
  private let temporary: String
  private let original: stat
  private let source: String

  /// - Parameter source: the file whose extended attributes are copied, such as the tags of file managers.
  init(path: String, like original: stat, attributesOf source: String) {
    (self.path, self.original, self.source) = (path, original, source)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    folder = parts.count == 1 ? "." : parent.isEmpty ? "/" : parent
    temporary = "\(folder)/.beaconmon-\(getpid()).new"
  }

  /// Writes the octets of a file from its beginning.
  ///
  /// - Parameter check: called before the place is taken.
  func write(
    _ content: borrowing FileDescriptor, replaces: Bool, check: () throws(PhotoError) -> Void
  ) throws(PhotoError) {
    // An interruption would leave the temporary file.
    var (all, mask) = (sigset_t(), sigset_t())
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&all, number) }
    pthread_sigmask(SIG_BLOCK, &all, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    unlink(temporary)
    let number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw .unwritable(path, errno) }
    var isPlaced = false
    defer { if !isPlaced { unlink(temporary) } }
    let file = FileDescriptor(owning: number)
    guard lseek(content.number, 0, SEEK_SET) == 0 else { throw .unwritable(path, errno) }
    try OctetCopy.copy(content.number, to: file.number) {
      .unwritable(path, $0)
    } writing: {
      .unwritable(path, $0)
    }
    // A user other than root cannot give a file away; then it is the user's.
    _ = fchown(file.number, original.st_uid, original.st_gid)
    copyAttributes(to: file.number)
    guard fchmod(file.number, original.st_mode & 0o777) == 0 || errno == EPERM || errno == EOPNOTSUPP, fsync(file.number) == 0 else {
      throw .unwritable(path, errno)
    }
    try check()
    try place(replaces: replaces)
    isPlaced = true
    // The new name survives a power cut, too.
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  private func place(replaces: Bool) throws(PhotoError) {
    if !replaces {
      // A link fails if the name exists; a rename would replace the file.
      if link(temporary, path) == 0 {
        unlink(temporary)
        return
      }
      switch errno {
      case EEXIST: throw PhotoError(.unwritable, "\(path) already exists; --force replaces it")
      // The file system has no links, as that of a memory card.
      case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        var status = stat()
        if lstat(path, &status) == 0 { throw PhotoError(.unwritable, "\(path) already exists; --force replaces it") }
      case let code: throw .unwritable(path, code)
      }
    }
    guard rename(temporary, path) == 0 else { throw .unwritable(path, errno) }
  }

  /// Copies the extended attributes of users; a file system that has none is not an error.
  private func copyAttributes(to descriptor: Int32) {
    var names = [CChar](repeating: 0, count: 1 << 16)
    let length = listxattr(source, &names, names.count)
    guard length > 0 else { return }
    for name in names[..<length].split(separator: 0) {
      let name = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard name.hasPrefix("user.") else { continue }
      var value = [UInt8](repeating: 0, count: 1 << 16)
      let count = getxattr(source, name, &value, value.count)
      if count >= 0 { _ = fsetxattr(descriptor, name, value, count, 0) }
    }
  }
}

/// Copies the rest of a file to another one.
enum OctetCopy {
  static func copy(
    _ source: Int32, to target: Int32, reading: (Int32) -> PhotoError, writing: (Int32) -> PhotoError
  ) throws(PhotoError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = Glibc.read(source, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw reading(errno) }
      guard count > 0 else { return }
      var rest = chunk[..<count]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw writing(written < 0 ? errno : ENOSPC) }
        rest = rest.dropFirst(written)
      }
    }
  }
}
