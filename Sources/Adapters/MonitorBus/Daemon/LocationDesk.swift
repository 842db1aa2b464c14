import DBus
import Instants
import Locating
import Locations
import Records

/// Who wants to know where the device is, and what each is told.
final class LocationDesk {
  /// A session's updates, or one call that waits for a fix.
  private struct Interest {
    let session: Session
    let call: MethodCall?
  }

  private unowned let model: any LocationModel
  private let snapshots: SnapshotQueue
  private var interests: [Locator.Listener: Interest] = [:]
  private var lastListener: Locator.Listener = 0
  /// Sends what is never left out.
  var onEvent: (PreparedSignal, Session) throws(DBusError) -> Void = { (_, _) throws(DBusError) in }

  init(_ model: any LocationModel, _ snapshots: SnapshotQueue) {
    self.model = model
    self.snapshots = snapshots
  }

  func setManual(_ options: LocationOptions, of session: Session) throws(DBusError) {
    session.manualLocation = try options.location(at: model.now)
  }

  /// Begins, or goes on with another request; what is known is told right after the answer.
  ///
  /// - Parameter refusal: why the session may not know.
  func start(_ request: LocationRequest, _ call: MethodCall, in session: Session, _ refusal: DBusError?) throws(DBusError) {
    if let obstacle = refusal ?? obstacle {
      guard let place = session.manualLocation else { throw obstacle }
      call.reply()
      return tell(.updated, place, to: session)
    }
    call.reply()
    session.beginUse()
    model.listen(listener(of: session) ?? add(Interest(session: session, call: nil)), request)
  }

  func stop(_ session: Session) throws(DBusError) {
    guard let listener = listener(of: session) else {
      guard session.manualLocation != nil else { throw .monitor("NotUpdatingLocation", "this session does not update its location") }
      return
    }
    remove(listener)
    session.dropWaiting(.location(.updated))
  }

  /// Its answer comes when the search is over.
  func request(
    _ accuracy: DesiredAccuracy, timeout: Span, _ call: MethodCall, in session: Session, _ refusal: DBusError?
  ) throws(DBusError) {
    if let obstacle = refusal ?? obstacle {
      guard let place = session.manualLocation else { throw obstacle }
      return call.reply([record(of: place)])
    }
    guard interests.values.count(where: { $0.session === session && $0.call != nil }) < Self.mostRequests else {
      throw .monitor("LimitsExceeded", "this session waits for \(Self.mostRequests) locations already; wait for an answer")
    }
    session.beginUse()
    model.search(add(Interest(session: session, call: call)), accuracy, timeout: timeout)
  }

  /// Its searches are over.
  func cancelRequests(of session: Session) {
    for (listener, interest) in interests where interest.session === session {
      guard let call = interest.call else { continue }
      remove(listener)
      call.fail(.monitor("Cancelled", "CancelLocationRequests was called"))
    }
  }

  /// It may not know any more, or it is gone.
  func forget(_ session: Session, _ error: DBusError) {
    for (listener, interest) in interests where interest.session === session {
      interest.call?.fail(error)
      remove(listener)
    }
  }

  func take(_ output: Locator.Output) {
    switch output {
    case .update(let listener, let location):
      if let interest = interests[listener] { tell(.updated, location, to: interest.session) }
    case .progress(let listener, let location):
      if let interest = interests[listener] { tell(.refined, location, to: interest.session) }
    case .unknown(let listener):
      guard let session = interests[listener]?.session else { return }
      if let place = session.manualLocation {
        tell(.updated, place, to: session)
      } else {
        snapshots.add(SharedSnapshot(of: .location(.unknown)) { [.string(Self.unknown)] }, for: session)
        snapshots.send()
      }
    case .stationary(let listener, let isStationary):
      if let interest = interests[listener] { tell(isStationary, interest.session) }
    case .found(let listener, let location):
      guard let interest = interests.removeValue(forKey: listener), let call = interest.call else { return }
      if let location = location ?? interest.session.manualLocation {
        call.reply([record(of: location)])
      } else {
        call.fail(.monitor("LocationUnknown", Self.unknown))
      }
    }
  }

  private func tell(_ isStationary: Bool, _ session: Session) {
    do throws(DBusError) {
      let signal = try PreparedSignal(interface: MonitorNames.session, member: "StationaryChanged", [.boolean(isStationary)])
      try onEvent(signal, session)
    } catch {
      // The bus is away, and the session about to end with it.
    }
  }

  private static let mostRequests = 4
  private static let unknown = "no source knows where the device is; \"beaconmon status\" shows how each stands"

  /// What keeps everybody from knowing.
  private var obstacle: DBusError? {
    model.hasSources
      ? nil : .monitor("NoLocationSource", "this device has no source of locations; add one to [location] in beaconmon.toml")
  }

  private func listener(of session: Session) -> Locator.Listener? {
    interests.first { $0.value.session === session && $0.value.call == nil }?.key
  }

  private func add(_ interest: Interest) -> Locator.Listener {
    repeat { lastListener &+= 1 } while lastListener == 0 || interests[lastListener] != nil
    interests[lastListener] = interest
    return lastListener
  }

  private func remove(_ listener: Locator.Listener) {
    interests[listener] = nil
    model.end(listener)
  }

  private func tell(_ signal: SharedSnapshot.LocationSignal, _ location: Location, to session: Session) {
    snapshots.add(SharedSnapshot(of: .location(signal)) { [self] in [record(of: location)] }, for: session)
    snapshots.send()
  }

  /// With its age when it is sent.
  private func record(of location: Location) -> DBusValue { location.record(at: model.now).dbusValue }
}
