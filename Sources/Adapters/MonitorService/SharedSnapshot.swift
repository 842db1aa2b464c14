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
    case heading(HeadingSignal)
    case guidance
  }

  enum LocationSignal: String {
    case updated = "LocationUpdated"
    case refined = "LocationRefined"
    case unknown = "LocationUnknown"
  }

  enum HeadingSignal: String, CaseIterable {
    case updated = "HeadingUpdated"
    case failed = "HeadingFailed"
    case calibration = "CalibrationNeeded"
  }

  /// The states of which a client needs the latest, even if it reads slowly.
  enum State: Hashable {
    case location
    case heading
    case headingFailure
    case calibration
    case guidance
  }

  let subject: Subject
  /// The state of the device that the snapshot reports; nil for a snapshot that the next second repeats.
  ///
  /// A stationary device causes no updates.
  var state: State? {
    switch subject {
    case .location(.updated), .location(.unknown): .location
    case .heading(.updated): .heading
    case .heading(.failed): .headingFailure
    case .heading(.calibration): .calibration
    case .guidance: .guidance
    case .location(.refined), .ranging, .scanning: nil
    }
  }
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
    case .heading(let signal): signal.rawValue
    case .guidance: "GuidanceUpdated"
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
  let session: SessionObject
  let snapshot: SharedSnapshot
  /// The time of queueing on the event loop's clock.
  let since: Instant
}
