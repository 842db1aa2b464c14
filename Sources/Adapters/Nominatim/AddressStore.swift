public import Addresses
import EventLoop
public import Geocoding
import Glibc
public import Logging

/// The file of addresses, which only its owner may read: it says where the device was.
///
/// Everything in it can be asked again, so whatever cannot be read is missing.
public final class AddressStore: AddressFile {
  /// The maximum number of octets of a file. 512 addresses have at most 300,000.
  private static let most = 4 << 20

  private let path: String
  private let log: Logger
  private var hasFailed = false

  /// - Parameter path: the path of the file, whose folder must exist.
  public init(path: String, log: Logger) {
    self.path = path
    self.log = log
  }

  public func load(server: String) -> AddressCache {
    do throws(SystemCallError) {
      let text = String(decoding: try FileContent.octets(of: path, limit: Self.most + 1, followsLinks: false), as: UTF8.self)
      // The answers of another server do not apply any more.
      if let stored = AddressCache.server(ofText: text), stored != server { remove() }
      return AddressCache(text: text, server: server)
    } catch {
      if error.code != ENOENT { fail(error) }
      return AddressCache(server: server)
    }
  }

  public func save(_ cache: AddressCache) {
    do throws(SystemCallError) {
      // A lost file costs nothing but requests.
      try NewFile.replacePrivate(path, with: cache.text, isDurable: false)
      hasFailed = false
    } catch {
      fail(error)
    }
  }

  public func remove() {
    for name in [path, path + ".new"] { unlink(name) }
  }

  private func fail(_ error: SystemCallError) {
    guard !hasFailed else { return }
    hasFailed = true
    log.warning("\(error); addresses are kept in memory until the file can be used")
  }
}
