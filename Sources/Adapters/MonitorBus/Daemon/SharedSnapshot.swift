import DBus
import Instants

/// A snapshot for however many sessions: written once, and not before it is sent to one.
final class SharedSnapshot {
  private let member: String
  private let arguments: () -> [DBusValue]
  private var prepared: PreparedSignal?

  init(_ member: String, _ arguments: @escaping () -> [DBusValue]) {
    self.member = member
    self.arguments = arguments
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
