import DBus
import Instants
import MonitorProtocol
import Regions

/// A snapshot for however many sessions: written once, and not before it is sent to one.
final class SharedSnapshot {
  /// What a session asked for.
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
  /// Where the device is, or that nobody knows. The next second does not bring it again: a device that stands still is not told again.
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

/// A snapshot on its way to a session.
struct WaitingSnapshot {
  let session: Session
  let snapshot: SharedSnapshot
  /// The loop's.
  let since: Instant
}
