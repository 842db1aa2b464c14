import FleetMessages
import PositionSharing

/// A daemon that locates for purposes.
final class FakePositions: PositionSource {
  final class Session: PositionSession {
    let purpose: String
    let handler: (PositionSessionEvent) -> Void
    private(set) var requestCount = 0
    private(set) var options: (desiredAccuracy: Double, distanceFilter: Double?)?

    init(_ purpose: String, _ handler: @escaping (PositionSessionEvent) -> Void) { (self.purpose, self.handler) = (purpose, handler) }

    func startLocating(desiredAccuracy: Double, distanceFilter: Double?) {
      requestCount += 1
      options = (desiredAccuracy, distanceFilter)
    }
  }

  private struct WeakSession { weak var session: Session? }

  private var all: [WeakSession] = []
  /// The reason why no session can be opened.
  var failure: String?
  private(set) var attemptCount = 0

  var open: [Session] { all.compactMap(\.session) }

  func openSession(
    for purpose: String, _ handler: @escaping (PositionSessionEvent) -> Void
  ) throws(PositionSourceFailure) -> any PositionSession {
    attemptCount += 1
    if let failure { throw PositionSourceFailure(failure) }
    let session = Session(purpose, handler)
    all.append(WeakSession(session: session))
    return session
  }

  func send(_ event: PositionSessionEvent) { for session in open { session.handler(event) } }

  func report(_ latitude: Double) { send(.position(SharedPosition(latitude: latitude, longitude: 13))) }
}
