import EventLoop
import Glibc
import WebAccess

/// The file of sessions in the folder of the service, which only its user may read.
final class SessionFile: WebSessionStore {
  /// 64 sessions take 12 kB.
  private static let longest = 65_536

  private let path: String?

  /// - Parameter folder: nil keeps the sessions in the process alone.
  init(folder: String?) { path = folder.map { "\($0)/sessions.json" } }

  func load() throws(WebStoreFailure) -> String? {
    guard let path else { return nil }
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard raw >= 0 else {
      guard errno != ENOENT else { return nil }
      throw WebStoreFailure("\(SystemCallError.last("open", path))")
    }
    let file = FileDescriptor(owning: raw)
    var octets = [UInt8](repeating: 0, count: Self.longest + 1)
    let count = read(file.number, &octets, octets.count)
    guard count >= 0 else { throw WebStoreFailure("\(SystemCallError.last("read", path))") }
    guard count <= Self.longest else { throw WebStoreFailure("\(path) is longer than \(Self.longest) octets") }
    return String(decoding: octets.prefix(count), as: UTF8.self)
  }

  func save(_ text: String) throws(WebStoreFailure) {
    guard let path else { return }
    do throws(SystemCallError) { try PrivateTextFile.replace(path, with: text, isDurable: false) } catch {
      throw WebStoreFailure("\(error)")
    }
  }
}
