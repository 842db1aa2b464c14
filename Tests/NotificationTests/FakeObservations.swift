import Beacons
import Notification

/// A session of the daemon whose observations a test sends.
final class FakeObservations: ObservationLink {
  private final class Session {
    let body: (Observation) -> Void
    init(_ body: @escaping (Observation) -> Void) { self.body = body }
  }

  /// The demands of all sessions in their order.
  private(set) var demands: [ObservationDemand] = []
  private weak var session: Session?

  var isObserving: Bool { session != nil }

  func observe(_ demand: ObservationDemand, _ body: @escaping (Observation) -> Void) -> AnyObject {
    demands.append(demand)
    let session = Session(body)
    self.session = session
    return session
  }

  func send(_ observation: Observation) { session?.body(observation) }
}
