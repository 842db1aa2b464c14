import Beacons
import DBus
import Instants
import MonitorProtocol
import Regions

/// A snapshot for any number of sessions, encoded once, when it is first sent.
final class SharedSnapshot {
  /// The request of a session that the snapshot answers.
  enum Subject: Hashable {
    case ranging(BeaconConstraint)
    case scanning
    case location(LocationSignal)
  }

  enum LocationSignal: String {
    case updated = "LocationUpdated"
    case refined = "LocationRefined"
    case unknown = "LocationUnknown"
  }

  let subject: Subject
  /// True for the device's location or its absence.
  ///
  /// The next second does not repeat such a snapshot, because a stationary device causes no updates.
  var isPlace: Bool { subject == .location(.updated) || subject == .location(.unknown) }
  private let arguments: () -> [DBusValue]
  private var prepared: PreparedSignal?

  init(of subject: Subject, _ arguments: @escaping () -> [DBusValue]) {
    self.subject = subject
    self.arguments = arguments
  }

  private var member: String {
    switch subject {
    case .ranging: "Ranged"
    case .scanning: "Scanned"
    case .location(let signal): signal.rawValue
    }
  }

  func signal() throws(DBusError) -> PreparedSignal {
    if let prepared { return prepared }
    let signal = try PreparedSignal(interface: MonitorNames.session, member: member, arguments())
    prepared = signal
    return signal
  }
}

/// A snapshot that waits to be sent to a session.
struct WaitingSnapshot {
  let session: Session
  let snapshot: SharedSnapshot
  /// The time of queueing on the event loop's clock.
  let since: Instant
}
