import Consent
import DBus
import Instants
import LocationArbitration
import Locations
import MonitorProtocol
import Monitoring
import Positioning

/// The sessions and calls that want the device's location, and the delivery of locations to them.
final class LocationSubscriptions {
  /// One request: the updates of a session, or a call that waits for a fix.
  struct Interest {
    let session: Session
    /// The options of the updates; nil for a call.
    let request: LocationRequest?
    let call: MethodCall?
    /// The accuracy in metres that the client requests.
    var wanted: Double
    var reportedDenied = false
  }

  /// A session that updates its location without consent or a source: it receives only the location that its own user states.
  private struct Unserved {
    let session: Session
    let request: LocationRequest
  }

  unowned let monitoring: MonitoringService
  unowned let positioning: PositioningService
  let snapshots: SnapshotQueue
  var interests: [Locator.Listener: Interest] = [:]
  /// The unserved sessions by path.
  private var unserved: [String: Unserved] = [:]
  private var lastNumber: UInt32 = 0
  /// Sends a signal that must not be dropped.
  var onEvent: (PreparedSignal, Session) throws(DBusError) -> Void = { (_, _) throws(DBusError) in }

  init(_ monitoring: MonitoringService, _ positioning: PositioningService, _ snapshots: SnapshotQueue) {
    self.monitoring = monitoring
    self.positioning = positioning
    self.snapshots = snapshots
  }

  func setManual(_ options: LocationOptions, of session: Session) throws(DBusError) {
    session.manualLocation = try options.location(at: positioning.now)
  }

  /// Sends an updating session the location that its user states, if no other location is known.
  func reportManual(_ session: Session) {
    guard let place = session.manualLocation else { return }
    if unserved[session.path] != nil || listener(of: session) != nil && positioning.location == nil { report(.updated, place, to: session) }
  }

  /// Starts the session's updates or changes their options, and sends a known location right after the answer.
  ///
  /// - Parameters:
  ///   - locale: the language of the names of places; nil for that of the daemon.
  ///   - refusal: the reason why the session may not learn the location; nil if it may.
  func start(_ request: LocationRequest, locale: String?, _ call: MethodCall, in session: Session, _ refusal: DBusError?) throws(DBusError)
  {
    session.locale = locale
    if let obstacle = refusal ?? obstacle {
      guard let place = session.manualLocation else { throw obstacle }
      call.reply()
      unserved[session.path] = Unserved(session: session, request: request)
      return report(.updated, place, to: session)
    }
    call.reply()
    listen(request, in: session)
  }

  private func listen(_ request: LocationRequest, in session: Session) {
    unserved[session.path] = nil
    session.beginUse()
    let listener = listener(of: session) ?? nextListener()
    session.wantedAccuracy = request.accuracy.metres
    interests[listener] = Interest(session: session, request: request, call: nil, wanted: request.accuracy.metres)
    positioning.listen(listener, request)
    reportDenied()
  }

  func stop(_ session: Session) throws(DBusError) {
    let wasUnserved = unserved.removeValue(forKey: session.path) != nil
    session.dropWaiting(.location(.updated))
    session.dropWaiting(.location(.unknown))
    guard let listener = listener(of: session) else {
      if wasUnserved || session.manualLocation != nil { return }
      throw .monitor("NotUpdatingLocation", "this session does not update its location")
    }
    remove(listener)
  }

  /// Searches for one location; the call is answered when the search ends.
  func request(
    _ accuracy: DesiredAccuracy, timeout: Span, locale: String?, _ call: MethodCall, in session: Session, _ refusal: DBusError?
  ) throws(DBusError) {
    session.locale = locale ?? session.locale
    if let obstacle = refusal ?? obstacle {
      guard let place = session.manualLocation else { throw obstacle }
      return call.reply([record(of: place, for: session)])
    }
    guard interests.values.count(where: { $0.session === session && $0.call != nil }) < Self.mostRequests else {
      throw .monitor("LimitsExceeded", "this session already waits for \(Self.mostRequests) locations; wait for an answer")
    }
    session.beginUse()
    let listener = nextListener()
    interests[listener] = Interest(session: session, request: nil, call: call, wanted: accuracy.metres)
    positioning.search(listener, accuracy, timeout: timeout)
    reportDenied()
  }

  /// Ends the searches of a session.
  func cancelRequests(of session: Session) {
    for (listener, interest) in interests where interest.session === session {
      guard let call = interest.call else { continue }
      remove(listener)
      call.fail(.monitor("Cancelled", "CancelLocationRequests was called"))
    }
  }

  /// Ends the requests of a session that lost consent; its updates now carry only the location that its user states.
  func withdraw(_ session: Session, _ error: DBusError) {
    let request = listener(of: session).flatMap { interests[$0]?.request } ?? unserved[session.path]?.request
    forget(session, error)
    unserved[session.path] = request.map { Unserved(session: session, request: $0) }
  }

  /// Drops a session's unserved request after consent was given, so that its client can request the device's location.
  func allow(_ session: Session) {
    if obstacle == nil { unserved[session.path] = nil }
  }

  /// Moves each unserved session that has consent to the device's location sources, if there are any now.
  func sourcesChanged() {
    guard obstacle == nil else { return }
    for (session, request) in unserved.values.map({ ($0.session, $0.request) }) where session.verdict.authorization.covers(.whenInUse) {
      listen(request, in: session)
    }
  }

  /// Removes the requests of a session that has ended.
  func forget(_ session: Session, _ error: DBusError) {
    unserved[session.path] = nil
    for (listener, interest) in interests where interest.session === session {
      interest.call?.fail(error)
      remove(listener)
    }
  }

  private static let mostRequests = 4

  /// The error that applies to every client; nil if the device has a location source.
  private var obstacle: DBusError? {
    positioning.hasSources
      ? nil : .monitor("NoLocationSource", "this device has no location source; add one to [location] in beaconmon.toml")
  }

  private func listener(of session: Session) -> Locator.Listener? {
    interests.first { $0.value.session === session && $0.value.call == nil }?.key
  }

  private func nextListener() -> Locator.Listener {
    repeat { lastNumber &+= 1 } while interests[.client(lastNumber)] != nil
    return .client(lastNumber)
  }

  func remove(_ listener: Locator.Listener) {
    interests[listener] = nil
    positioning.end(listener)
  }
}
