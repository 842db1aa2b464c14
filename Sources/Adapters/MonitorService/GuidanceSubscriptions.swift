import ClientSessions
import DBus
import Guidance
import Instants
import MonitorProtocol
import Records
import Regions
import RouteReports
import Wayfinding

/// The sessions that are guided, and the calls that wait for a route.
final class GuidanceSubscriptions {
  private unowned let guidance: GuidanceService
  private let snapshots: SnapshotQueue
  private var sessions: [GuidanceService.Client: SessionObject] = [:]
  private var calls: [(session: SessionObject, call: MethodCall)] = []
  /// Sends a signal that must not be dropped.
  var onEvent: (PreparedSignal, SessionObject) throws(DBusError) -> Void = { (_, _) throws(DBusError) in }

  init(_ guidance: GuidanceService, _ snapshots: SnapshotQueue) {
    (self.guidance, self.snapshots) = (guidance, snapshots)
  }

  func check(_ request: GuidanceRequest) throws(DBusError) {
    do throws(GuidanceRefusal) { try guidance.check(request) } catch { throw error.dbusError }
  }

  /// Starts the session's guidance or replaces it. The first signals may come during the call.
  func start(_ request: GuidanceRequest, in session: SessionObject) {
    let client = session.session.number
    session.dropWaiting(.guidance)
    sessions[client] = session
    do throws(GuidanceRefusal) { try guidance.start(client, request) } catch {
      // The venue or the sources have changed since the answer.
      stop(client, of: session)
      send("GuidanceEnded", [.string(error.end.reason.rawValue), .string(error.message)], to: session)
    }
  }

  func stop(_ session: SessionObject) throws(DBusError) {
    guard sessions[session.session.number] != nil else {
      throw .monitor("NotGuiding", "this session has no guidance; call StartGuidance first")
    }
    stop(session.session.number, of: session)
  }

  /// Ends the guidance and the waiting calls of a session that has ended.
  func forget(_ session: SessionObject, _ error: DBusError) {
    stop(session.session.number, of: session)
    cancelCalls(of: session, error)
  }

  /// Ends the guidance and the waiting calls of a session that lost consent.
  func withdraw(_ session: SessionObject, _ error: DBusError) {
    guidance.end(session.session.number, GuidanceEnd(.notAuthorized, error.message))
    cancelCalls(of: session, error)
  }

  private func stop(_ client: GuidanceService.Client, of session: SessionObject) {
    guard sessions.removeValue(forKey: client) != nil else { return }
    guidance.end(client)
    session.dropWaiting(.guidance)
  }

  private func cancelCalls(of session: SessionObject, _ error: DBusError) {
    let ended = calls.filter { $0.session === session }
    calls.removeAll { $0.session === session }
    guidance.cancelQueries(of: session.session.number)
    for (_, call) in ended { call.fail(error) }
  }

  /// Answers a call with a route, as soon as the position is known.
  func route(_ query: RouteQuery, timeout: Span, _ call: MethodCall, in session: SessionObject) {
    calls.append((session, call))
    guidance.route(query, for: session.session.number, timeout: timeout) { [weak self] result in
      guard let self, let index = calls.firstIndex(where: { $0.call === call }) else { return }
      calls.remove(at: index)
      switch result {
      case .success(let route): call.reply([route.record.dbusValue])
      case .failure(let refusal): call.fail(refusal.dbusError)
      }
    }
  }

  func take(_ output: GuidanceService.Output) {
    switch output {
    case .update(let client, let report):
      guard let session = sessions[client] else { return }
      snapshots.add(SharedSnapshot(of: .guidance) { [report.record.dbusValue] }, for: session)
      snapshots.send()
    case .route(let client, let route):
      if let session = sessions[client] { send("GuidanceRouteChanged", [route.record.dbusValue], to: session) }
    case .instruction(let client, let instruction):
      if let session = sessions[client] { send("GuidanceInstruction", [instruction.record.dbusValue], to: session) }
    case .failed(let client, let failure):
      guard let session = sessions[client] else { return }
      send("GuidanceFailed", [.string(MonitorNames.errorPrefix + failure.reason.rawValue), .string(failure.message)], to: session)
    case .ended(let client, let end):
      guard let session = sessions.removeValue(forKey: client) else { return }
      session.dropWaiting(.guidance)
      send("GuidanceEnded", [.string(end.reason.rawValue), .string(end.message)], to: session)
    }
  }

  private func send(_ member: String, _ arguments: [DBusValue], to session: SessionObject) {
    do throws(DBusError) {
      try onEvent(PreparedSignal(interface: MonitorNames.session, member: member, arguments), session)
    } catch {
      // The bus is disconnected, so the session is about to end.
    }
  }
}

extension GuidanceRefusal {
  var dbusError: DBusError { .monitor(reason.rawValue, message) }
}
