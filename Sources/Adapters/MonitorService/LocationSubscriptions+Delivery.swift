import DBus
import Geocoding
import LocationArbitration
import Locations
import MonitorProtocol
import Monitoring
import Positioning
import Records

extension LocationSubscriptions {
  func take(_ output: Locator.Output) {
    switch output {
    case .update(let listener, let location):
      interests[listener]?.reportedDenied = false
      guard let interest = interests[listener] else { return }
      if let query = monitoring.addressQuery(for: location, locale: interest.session.locale, wanted: interest.wanted) {
        monitoring.geocoding?.prepare(query)
      }
      report(.updated, location, to: interest.session)
    case .progress(let listener, let location):
      if let interest = interests[listener] { report(.refined, location, to: interest.session) }
    case .unknown(let listener):
      if let session = interests[listener]?.session { reportUnknown(to: session) }
    case .stationary(let listener, let isStationary):
      if let interest = interests[listener] { report(isStationary, interest.session) }
    case .found(let listener, let location):
      if let location, let interest = interests[listener], interest.call != nil { return answerWithAddress(listener, location, interest) }
      guard let interest = interests.removeValue(forKey: listener), let call = interest.call else { return }
      if let location = interest.session.manualLocation {
        call.reply([record(of: location, for: interest.session)])
      } else {
        call.fail(.monitor("LocationUnknown", positioning.unknownReason))
      }
    }
  }

  /// Answers a call with its location, after a moment in which the address may arrive.
  ///
  /// Until then the call can be cancelled or refused.
  private func answerWithAddress(_ listener: Locator.Listener, _ location: Location, _ interest: Interest) {
    let answer = { [weak self] in
      guard let self, let call = interests.removeValue(forKey: listener)?.call else { return }
      call.reply([record(of: location, for: interest.session, wanted: interest.wanted)])
    }
    guard let query = monitoring.addressQuery(for: location, locale: interest.session.locale, wanted: interest.wanted),
      let geocoding = monitoring.geocoding
    else { return answer() }
    geocoding.lookUp(query) { _ in answer() }
  }

  /// Reports an unknown location to every waiting client at once if all sources are denied.
  func reportDenied() {
    guard positioning.location == nil, !positioning.sources.isEmpty,
      positioning.sources.allSatisfy({ $0.state == .denied })
    else { return }
    for (listener, interest) in interests.sorted(by: { $0.key < $1.key }) where !interest.reportedDenied {
      if let call = interest.call {
        remove(listener)
        interest.session.manualLocation.map { call.reply([record(of: $0, for: interest.session)]) }
          ?? call.fail(.monitor("LocationUnknown", positioning.unknownReason))
      } else {
        interests[listener]?.reportedDenied = true
        reportUnknown(to: interest.session)
      }
    }
  }

  private func reportUnknown(to session: Session) {
    if let place = session.manualLocation { return report(.updated, place, to: session) }
    snapshots.add(SharedSnapshot(of: .location(.unknown)) { [self] in [.string(positioning.unknownReason)] }, for: session)
    snapshots.send()
  }

  private func report(_ isStationary: Bool, _ session: Session) {
    do throws(DBusError) {
      let signal = try PreparedSignal(interface: MonitorNames.session, member: "StationaryChanged", [.boolean(isStationary)])
      try onEvent(signal, session)
    } catch {
      // The bus is disconnected, so the session is about to end.
    }
  }

  func report(_ signal: SharedSnapshot.LocationSignal, _ location: Location, to session: Session) {
    snapshots.add(SharedSnapshot(of: .location(signal)) { [self] in [record(of: location, for: session)] }, for: session)
    snapshots.send()
  }

  /// Returns the location as a record, with its age at the time of sending and names in the language of the session.
  func record(of location: Location, for session: Session, wanted: Double? = nil) -> DBusValue {
    // A program without consent could otherwise find the owner's places by stating locations.
    let hidesOwnPlaces = location.source == .manual
    return monitoring.report(
      location, at: positioning.now, locale: session.locale, hidesOwnPlaces: hidesOwnPlaces, wanted: wanted ?? session.wantedAccuracy
    ).record.dbusValue
  }
}
