import DBus
import Headings
import Locations
import MonitorProtocol
import Orientation
import Records

/// The sessions that want the device's heading, and the delivery of headings to them.
final class HeadingSubscriptions {
  private unowned let headings: HeadingService
  private let snapshots: SnapshotQueue
  private var sessions: [HeadingService.Client: SessionObject] = [:]
  private var lastNumber: UInt32 = 0

  init(_ headings: HeadingService, _ snapshots: SnapshotQueue) {
    self.headings = headings
    self.snapshots = snapshots
  }

  /// Throws `NoHeadingSource` if no source is present, because the client would wait for ever.
  func requireSource() throws(DBusError) {
    guard let obstacle = headings.requestObstacle else { return }
    throw .monitor("NoHeadingSource", "\(obstacle); see Capabilities")
  }

  /// Starts the session's updates or changes their options. The first update may come during the call.
  func start(_ request: HeadingRequest, in session: SessionObject) {
    let client = client(of: session) ?? nextClient()
    sessions[client] = session
    headings.listen(client, request)
  }

  func stop(_ session: SessionObject) throws(DBusError) {
    try end(client: required(session), of: session)
  }

  func dismissCalibration(_ session: SessionObject) throws(DBusError) {
    headings.dismissCalibration(try required(session))
  }

  /// Ends the updates of a session that has ended, or has lost consent.
  func forget(_ session: SessionObject) {
    if let client = client(of: session) { end(client: client, of: session) }
  }

  private func end(client: HeadingService.Client, of session: SessionObject) {
    sessions[client] = nil
    headings.end(client)
    for signal in SharedSnapshot.HeadingSignal.allCases { session.dropWaiting(.heading(signal)) }
  }

  func take(_ output: HeadingService.Output) {
    switch output {
    case .update(let client, let update):
      add(.updated, client) { [update.record.dbusValue] }
    case .failed(let client, let failure):
      let error = MonitorNames.errorPrefix + failure.reason.error
      add(.failed, client) { [.string(error), .string(failure.message)] }
    case .calibration(let client, let status):
      add(.calibration, client) { [status.record.dbusValue] }
    }
  }

  private func add(_ signal: SharedSnapshot.HeadingSignal, _ client: HeadingService.Client, _ arguments: @escaping () -> [DBusValue]) {
    guard let session = sessions[client] else { return }
    snapshots.add(SharedSnapshot(of: .heading(signal), arguments), for: session)
    snapshots.send()
  }

  private func required(_ session: SessionObject) throws(DBusError) -> HeadingService.Client {
    guard let client = client(of: session) else {
      throw .monitor("NotUpdatingHeading", "this session does not update its heading; call StartUpdatingHeading first")
    }
    return client
  }

  private func client(of session: SessionObject) -> HeadingService.Client? { sessions.first { $0.value === session }?.key }

  private func nextClient() -> HeadingService.Client {
    repeat { lastNumber &+= 1 } while sessions[.session(lastNumber)] != nil
    return .session(lastNumber)
  }
}

extension HeadingFailure.Reason {
  /// The name of the error after the common prefix.
  fileprivate var error: String {
    switch self {
    case .disturbed: "HeadingDisturbed"
    case .unavailable: "HeadingUnavailable"
    }
  }
}
