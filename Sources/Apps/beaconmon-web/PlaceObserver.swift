import Beacons
import Consent
import DBus
import EventLoop
import Instants
import MonitorClient
import Records
import WebPage

/// The beacons and the location of the device, through one session for all viewers.
final class PlaceObserver {
  private static let purpose = "Shows the beacons and the position of this device on a page in the browser"
  private static let pause = Span.seconds(5)

  private let client: MonitorClient
  private let connection: DBusConnection
  private lazy var session = RemoteSession(connection, purpose: Self.purpose, appID: "org.beaconmon.Web") { [unowned self] in take($0) }
  private lazy var retry = connection.loop.timer { [unowned self] in askConstraints() }
  private var presence: NameWatch?
  private var venues: SignalSubscription?
  private var constraints: [BeaconConstraint] = []
  private var rounds = SnapshotRounds([])
  private var handler: ((LiveObservation) -> Void)?
  /// The observation that is current; the answers to an earlier one are ignored.
  private weak var observation: Observation?

  init(_ connection: DBusConnection, _ client: MonitorClient) {
    (self.connection, self.client) = (connection, client)
  }

  func observe(_ handler: @escaping (LiveObservation) -> Void) -> AnyObject {
    self.handler = handler
    let observation = Observation { [weak self] in self?.end() }
    self.observation = observation
    session.startLocating(LocationUpdateOptions(.fixes(desiredAccuracy: 0, distanceFilter: nil)))
    presence = client.watchPresence { [unowned self] in if $0 { askConstraints() } }
    // A reload may change the beacons, too.
    venues = client.watchVenues { [unowned self] in askConstraints() }
    return observation
  }

  private func end() {
    (handler, presence, venues) = (nil, nil, nil)
    retry.arm(at: .never)
    session.stop(.locating)
    range([])
  }

  private func askConstraints() {
    client.configuredConstraints { [weak self, weak observation] found in
      guard let self, observation != nil else { return }
      if let found { range(Array(found.prefix(RemoteStream.mostConstraints))) } else { retry.arm(at: connection.loop.now + Self.pause) }
    }
  }

  private func range(_ new: [BeaconConstraint]) {
    guard new != constraints else { return }
    for constraint in constraints where !new.contains(constraint) { session.stop(.ranging(constraint)) }
    for constraint in new where !constraints.contains(constraint) { session.startRanging(constraint) }
    (constraints, rounds) = (new, SnapshotRounds(new))
  }

  private func take(_ event: RemoteSessionEvent) {
    guard let handler else { return }
    switch event {
    case .ranged(let constraint, let snapshot):
      for round in rounds.take(snapshot, of: constraint) { handler(.beacons(round.record)) }
    case .located(let location): handler(.located(location))
    case .locationUnknown(let reason): handler(.locationUnknown(reason))
    case .began: handler(.permitted)
    case .authorization(.denied, let reason): handler(.denied(Self.denial(reason)))
    case .refused(_, let error) where error.isLackOfConsent: handler(.denied(Self.denial(error.message)))
    case .refused(.locating, let error): handler(.locationUnknown(error.message))
    default: break
    }
  }

  /// The reason of the daemon contains its remedy.
  private static func denial(_ reason: String) -> String {
    "the user of beaconmon-web may not receive beacons and locations: \(reason)"
  }
}

/// Calls back when it is released.
private final class Observation {
  private let onEnd: () -> Void

  init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}
