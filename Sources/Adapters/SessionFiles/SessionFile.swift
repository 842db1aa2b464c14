import EventLoop
import WebAccess

/// The file of sessions in the folder of the service, which only its user may read.
public final class SessionFile: WebSessionStore {
  /// The largest file in octets. 64 sessions take 12 kB.
  static let longest = 65_536

  private let path: String?

  /// - Parameter folder: nil keeps the sessions in the process alone.
  public init(folder: String?) { path = folder.map { "\($0)/sessions.json" } }

  public func load() throws(WebStoreFailure) -> String? {
    guard let path else { return nil }
    let octets: [UInt8]?
    do throws(SystemCallError) { octets = try FileContent.octets(ofOptional: path, limit: Self.longest + 1, followsLinks: false) } catch {
      throw WebStoreFailure("\(error)")
    }
    guard let octets else { return nil }
    guard octets.count <= Self.longest else { throw WebStoreFailure("\(path) is longer than \(Self.longest) octets") }
    return String(decoding: octets, as: UTF8.self)
  }

  public func save(_ text: String) throws(WebStoreFailure) {
    guard let path else { return }
    do throws(SystemCallError) { try NewFile.replacePrivate(path, with: text, isDurable: false) } catch {
      throw WebStoreFailure("\(error)")
    }
  }
}
