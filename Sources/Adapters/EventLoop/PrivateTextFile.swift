import Glibc

/// A small file that only its owner may read, and that is replaced as a whole.
public enum PrivateTextFile {
  /// Replaces the file: a reader, or a start after a crash, finds the old text or the new one.
  ///
  /// - Parameter isDurable: waits until the text is on the disk; otherwise a power cut can leave an empty file.
  public static func replace(_ path: String, with text: String, isDurable: Bool) throws(SystemCallError) {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("open", new) }
    let file = FileDescriptor(owning: descriptor)
    var octets = Array(text.utf8)[...]
    while !octets.isEmpty {
      let count = octets.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("write", new)
      }
      octets = octets.dropFirst(count)
    }
    guard !isDurable || fsync(file.number) == 0 else { throw .last("fsync", new) }
    guard rename(new, path) == 0 else { throw .last("rename", path) }
  }
}
