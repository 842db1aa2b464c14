import Consent
import Beacons
import ClientSessions
import DBus
import Events
import Guidance
import Locations
import MonitorProtocol
import Orientation
import Records
import RouteReports

/// A session on the bus: its object, and the signals to its client.
final class SessionObject: SessionChannel {
  let session: ClientSession
  unowned let client: SessionClient
  private unowned let sessions: Sessions
  private var object: ExportedObject?

  init(_ session: ClientSession, _ client: SessionClient, _ sessions: Sessions) {
    (self.session, self.client, self.sessions) = (session, client, sessions)
    session.channel = self
  }

  var path: String { session.name }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], for: .only(client.name))
  }

  // MARK: Signals

  /// Sends a signal to the session's client alone, whether it reads its signals or not.
  func emit(_ signal: String, _ arguments: [DBusValue]) {
    do throws(DBusError) {
      try emit(PreparedSignal(interface: MonitorNames.session, member: signal, arguments))
    } catch {
      // The bus is disconnected, so the session is about to end.
    }
  }

  func emit(_ signal: PreparedSignal) throws(DBusError) {
    try object?.emit(signal)
  }

  /// Sends a signal that is never dropped; a client that does not read loses its sessions instead.
  private func sendEvent(_ member: String, _ arguments: [DBusValue]) {
    do throws(DBusError) {
      try sessions.send(PreparedSignal(interface: MonitorNames.session, member: member, arguments), to: self)
    } catch {
      // The bus is disconnected, so the session is about to end.
    }
  }

  private func queue(_ subject: SharedSnapshot.Subject, _ arguments: @escaping () -> [DBusValue]) {
    sessions.snapshots.add(SharedSnapshot(of: subject, arguments), for: self)
    sessions.snapshots.send()
  }

  func send(_ signal: SessionSignal) {
    switch signal {
    case .locationUpdated(let location): queue(location, .updated)
    case .locationRefined(let location): queue(location, .refined)
    case .locationUnknown: queue(.location(.unknown)) { [sessions] in [.string(sessions.service.locations.unknownReason)] }
    case .headingUpdated(let update): queue(.heading(.updated)) { [update.record.dbusValue] }
    case .headingFailed(let failure):
      queue(.heading(.failed)) { [.string(MonitorError(failure.reason).name), .string(failure.message)] }
    case .calibrationNeeded(let status): queue(.heading(.calibration)) { [status.record.dbusValue] }
    case .guidanceUpdated(let report): queue(.guidance) { [report.record.dbusValue] }
    case .guidanceRouteChanged(let route): sendEvent("GuidanceRouteChanged", [route.record.dbusValue])
    case .guidanceInstruction(let instruction): sendEvent("GuidanceInstruction", [instruction.record.dbusValue])
    case .guidanceFailed(let failure):
      sendEvent("GuidanceFailed", [.string(MonitorError(failure.reason).name), .string(failure.message)])
    case .guidanceEnded(let end): sendEvent("GuidanceEnded", [.string(end.reason.rawValue), .string(end.message)])
    case .appointmentEvent(let event, let identifier):
      emit("AppointmentEvent", [.string(event.kind?.rawValue ?? ""), .string(identifier), event.dbusValue])
    case .stationaryChanged(let isStationary): sendEvent("StationaryChanged", [.boolean(isStationary)])
    case .authorizationChanged(let verdict):
      emit("AuthorizationChanged", [.string(verdict.authorization.rawValue), .string(verdict.reason)])
    case .capabilitiesChanged(let capabilities): emit("CapabilitiesChanged", [.strings(capabilities)])
    case .missingCapabilitiesChanged(let missing):
      emit("MissingCapabilitiesChanged", [.array(of: "a{sv}", missing.map(\.record.dbusValue))])
    }
  }

  /// Queues a location, whose age and names are those of the moment when it is sent.
  private func queue(_ location: Location, _ signal: SharedSnapshot.LocationSignal) {
    queue(.location(signal)) { [sessions, session] in [sessions.service.locations.report(of: location, for: session).record.dbusValue] }
  }

  func drop(_ stream: SessionStream) {
    switch stream {
    case .ranging(let constraint): dropWaiting(.ranging(constraint))
    case .scanning: dropWaiting(.scanning)
    case .location:
      dropWaiting(.location(.updated))
      dropWaiting(.location(.unknown))
    case .heading:
      for signal in SharedSnapshot.HeadingSignal.allCases { dropWaiting(.heading(signal)) }
    case .guidance: dropWaiting(.guidance)
    }
  }

  private func dropWaiting(_ subject: SharedSnapshot.Subject) {
    client.waiting.removeAll { $0.session === self && $0.snapshot.subject == subject }
  }

  func dropAll() { client.waiting.removeAll { $0.session === self } }
}

extension MonitorError {
  fileprivate init(_ reason: HeadingFailure.Reason) {
    self =
      switch reason {
      case .disturbed: .headingDisturbed
      case .unavailable: .headingUnavailable
      }
  }

  fileprivate init(_ reason: GuidanceFailure.Reason) {
    self =
      switch reason {
      case .locationUnknown: .locationUnknown
      case .noRoute: .noRoute
      }
  }
}
