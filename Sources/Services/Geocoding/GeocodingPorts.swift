import Locations

public import Addresses
public import Instants

/// A server that knows addresses.
public protocol AddressServer: AnyObject {
  /// The address of the server.
  var name: String { get }
  /// Sends a query. `completion` is called once, and never inside this call.
  func send(_ query: AddressQuery, completion: @escaping (AddressAnswer) -> Void)
}

/// The result of a query.
public enum AddressAnswer: Hashable, Sendable {
  /// The address; nil if the server knows none there.
  case address(PostalAddress?)
  /// - Parameter retryAfter: the pause that the server demands; nil without one.
  case failed(String, retryAfter: Span?)
}

/// The file of answers, which can all be asked again.
public protocol AddressFile: AnyObject {
  /// Reads the answers of a server. Those that cannot be read are missing.
  func load(server: String) -> AddressCache
  /// Replaces the stored answers. A failure is logged once, and the next call tries again.
  func save(_ cache: AddressCache)
  /// Removes the stored answers, because no addresses are looked up any more.
  func remove()
}
