import EventLoop
import Glibc
import PositionSharing

/// The file `shares`: the consent of this device's users to shares of its position.
public final class ShareFile: SharingFile {
  /// The name of the file in the folder of the notifier's state.
  public static let name = "shares"
  /// The largest file. 8 shares with 8 recipients have much less than a quarter of this.
  private static let most = 1 << 18

  private let path: String

  /// - Parameter path: the path of the file, whose folder must exist.
  public init(path: String) {
    self.path = path
  }

  public func read() throws -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemCallError.last("open", path)
    }
    let file = FileDescriptor(owning: descriptor)
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while octets.count <= Self.most {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      if count < 0 { throw SystemCallError.last("read", path) }
      if count == 0 { break }
      octets += buffer[..<count]
    }
    return String(decoding: octets, as: UTF8.self)
  }

  public func write(_ text: String) throws { try PrivateTextFile.replace(path, with: text, isDurable: true) }

  public func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
