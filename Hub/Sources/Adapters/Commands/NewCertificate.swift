import Glibc

/// A new certificate, and its key if the authority made it, in a private folder until they are installed.
///
/// So a command that fails leaves the present files, and two commands at once never mix theirs.
public final class NewCertificate {
  /// The SHA-256 in hexadecimal digits.
  public internal(set) var fingerprint = ""
  /// The public key in PEM.
  var publicKey = ""
  /// Whether the present key of the name does not fit, and goes.
  var removesKey = false

  private let name: String
  private let folder: String
  private let temporary: String

  /// Makes the private folder inside that of the authority.
  init(_ name: String, in folder: String) throws(CommandError) {
    (self.name, self.folder) = (name, folder)
    var path = Array("\(folder)/.new-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw CommandError(description: "\(folder): \(String(cString: strerror(errno)))") }
    temporary = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for suffix in ["key", "crt", "csr", "ext"] { unlink(path(suffix)) }
    rmdir(temporary)
  }

  func path(_ suffix: String) -> String { "\(temporary)/\(name).\(suffix)" }

  /// Gives the files their names, after `record` has succeeded, while no other command does the same in this folder.
  public func install(after record: () throws -> Void) throws {
    let lock = try locked()
    defer { close(lock) }
    try record()
    try move()
  }

  /// Gives the files their names.
  public func install() throws(CommandError) {
    let lock = try locked()
    defer { close(lock) }
    try move()
  }

  /// Returns a descriptor of the folder, whose lock lasts until it is closed.
  private func locked() throws(CommandError) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw failure
      }
    }
    return descriptor
  }

  private func move() throws(CommandError) {
    for suffix in ["key", "crt"] where access(path(suffix), F_OK) == 0 {
      guard rename(path(suffix), "\(folder)/\(name).\(suffix)") == 0 else { throw failure }
    }
    if removesKey { unlink("\(folder)/\(name).key") }
  }

  private var failure: CommandError { CommandError(description: "\(folder): \(String(cString: strerror(errno)))") }
}
