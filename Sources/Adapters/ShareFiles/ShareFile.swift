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
    try FileContent.octets(ofOptional: path, limit: Self.most + 1).map { String(decoding: $0, as: UTF8.self) }
  }

  public func write(_ text: String) throws { try NewFile.replacePrivate(path, with: text, isDurable: true) }

  public func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
