import Failures

/// The server of the page, which follows the configuration to another place.
///
/// At most one server listens at a time, because a new certificate keeps the port.
public final class PageServer<Place: Equatable> {
  private let open: (Place) throws(Failure) -> AnyObject
  private var server: AnyObject?
  /// The place of the server.
  public private(set) var place: Place

  /// - Parameter open: begins to serve at a place, until its result is released.
  public init(at place: Place, open: @escaping (Place) throws(Failure) -> AnyObject) {
    (self.place, self.open) = (place, open)
  }

  public var isListening: Bool { server != nil }

  /// Listens at the place.
  public func listen() throws(Failure) { server = try open(place) }

  /// Listens at another place. Returns false if the server listens there already.
  ///
  /// Throws the reason why the server cannot listen there. It then listens at the place before, unless that is impossible too.
  public func move(to new: Place) throws(Failure) -> Bool {
    guard new != place || !isListening else { return false }
    server = nil
    do throws(Failure) {
      server = try open(new)
    } catch {
      let reason = error
      do throws(Failure) { try listen() } catch {
        throw Failure(reason.status, "\(reason); the place before is lost too: \(error)")
      }
      throw reason
    }
    place = new
    return true
  }

  /// Stops listening.
  public func close() { server = nil }
}
