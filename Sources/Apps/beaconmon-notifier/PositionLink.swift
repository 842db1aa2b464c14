import Consent
import DBus
import EventLoop
import FleetMessages
import Instants
import Locations
import Logging
import MonitorClient
import PositionSharing

/// Locates this device in a session of the daemon for each share, so that `beaconmon privacy` shows the purpose of each.
final class PositionLink: PositionSource {
  private let loop: Loop
  private let address: BusAddress
  private let log: Logger

  init(_ loop: Loop, _ address: BusAddress, log: Logger) {
    (self.loop, self.address, self.log) = (loop, address, log)
  }

  func locate(for purpose: String, _ body: @escaping (SharedPosition?) -> Void) -> AnyObject {
    SharedLocating(loop, address, String(purpose.prefix(200)), log, body)
  }
}

/// The session of one share.
private final class SharedLocating {
  /// The time between two attempts. A session without consent waits for it by itself.
  private static let pause = Span.seconds(60)
  /// The distance in metres below which a location is not reported again.
  private static let distanceFilter = 2.0

  private let loop: Loop
  private let address: BusAddress
  private let purpose: String
  private let log: Logger
  private let body: (SharedPosition?) -> Void
  private var session: RemoteSession?
  private var timer: Timer?
  private var logged: String?

  init(_ loop: Loop, _ address: BusAddress, _ purpose: String, _ log: Logger, _ body: @escaping (SharedPosition?) -> Void) {
    (self.loop, self.address, self.purpose, self.log, self.body) = (loop, address, purpose, log, body)
    timer = loop.timer { [unowned self] in begin() }
    timer?.arm(after: .zero)
  }

  deinit {
    // Released later, because its callback may still use it.
    let closed = session
    loop.enqueue { withExtendedLifetime(closed) {} }
  }

  private func begin() {
    if session == nil {
      do throws(DBusError) {
        session = try RemoteSession(loop: loop, address: address, purpose: purpose, appID: nil) { [weak self] in self?.take($0) }
      } catch {
        return fail(error.message, isTemporary: true)
      }
    }
    session?.startLocating(
      LocationUpdateOptions(.fixes(desiredAccuracy: 5, distanceFilter: Self.distanceFilter)))
  }

  private func take(_ event: RemoteSessionEvent) {
    switch event {
    case .located(let report):
      logged = nil
      body(SharedPosition(report))
    case .locationUnknown, .away: body(nil)
    case .refused(_, let error): fail(error.message, isTemporary: !error.isLackOfConsent)
    case .authorization(let authorization, _): if !authorization.covers(.whenInUse) { body(nil) }
    default: break
    }
  }

  private func fail(_ reason: String, isTemporary: Bool) {
    if logged != reason { log.notice("a shared position is unknown: \(reason)") }
    logged = reason
    body(nil)
    if isTemporary { timer?.arm(after: Self.pause) }
  }
}

extension SharedPosition {
  /// Nil without coordinates.
  fileprivate init?(_ report: LocationReport) {
    guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
    self.init(
      latitude: latitude, longitude: longitude, accuracy: report.horizontalAccuracy, floor: report.floor.flatMap { Int(exactly: $0) },
      level: report.level, venue: report.venue, place: report.description)
  }
}
