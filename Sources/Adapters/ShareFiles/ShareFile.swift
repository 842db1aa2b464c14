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
    do throws(SystemCallError) {
      return String(decoding: try FileContent.octets(of: path, limit: Self.most + 1), as: UTF8.self)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  public func write(_ text: String) throws { try NewFile.replacePrivate(path, with: text, isDurable: true) }

  public func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
