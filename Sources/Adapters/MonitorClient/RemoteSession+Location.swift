import DBus
import EventLoop
import Instants
import Locations
import MonitorProtocol
import Records

// MARK: Location

extension RemoteSession {
  public func startLocating(_ options: LocationUpdateOptions) { perform(plan.startLocating(options)) }

  /// Starts locating by fixes.
  ///
  /// - Parameters:
  ///   - desiredAccuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - distanceFilter: the distance in metres below which a location is not reported again; nil for every location.
  public func startLocating(desiredAccuracy: Double, distanceFilter: Double?) {
    startLocating(LocationUpdateOptions(.fixes(desiredAccuracy: desiredAccuracy, distanceFilter: distanceFilter)))
  }

  /// - Parameter location: nil withdraws it.
  public func setManualLocation(_ location: ManualLocation?) { perform(plan.setManualLocation(location)) }

  /// Requests one location. `RemoteSessionEvent.searched` reports the end of the search.
  ///
  /// - Parameters:
  ///   - number: the number that the program assigns to the search.
  ///   - accuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - timeout: the maximum duration of the search, 100 ms to 10 min.
  public func search(_ number: UInt64, _ accuracy: Double, timeout: Span) {
    perform(plan.search(number, accuracy, timeout: timeout, at: connection.loop.now))
  }

  /// Cancels a search, which delivers no answer any more.
  public func cancelSearch(_ number: UInt64) { perform(plan.cancelSearch(number)) }

  func request(_ search: RequestedLocation) {
    // The remaining time, because the request may have waited for the daemon.
    let timeout = max(.milliseconds(100), search.deadline - connection.loop.now)
    let options = Record(["desiredAccuracy": .metres(search.accuracy), "timeout": .text(timeout.text), "locale": locale.map { .text($0) }])
    call("RequestLocation", [options.dbusValue], timeout: timeout + Self.thinking) { [unowned self] reply in
      let location = reply.flatMap { values in
        values.first.flatMap { Record($0) }.map { .success(LocationReport($0)) }
          ?? .failure(.monitor(.locationUnknown, "the answer is not a location"))
      }
      perform(plan.searchAnswered(search.number, location))
    }
  }

  func receiveLocation(_ signal: DBusMessage) {
    let arguments = signal.arguments
    switch (signal.member, signal.signature) {
    case ("CapabilitiesChanged", "as"): perform(plan.capabilitiesChanged(arguments[0].strings ?? []))
    case _ where !plan.wants(.locating): break
    case ("LocationUpdated", "a{sv}"): if let location = Record(arguments[0]) { handler(.located(LocationReport(location))) }
    case ("LocationUnknown", "s"): handler(.locationUnknown(arguments[0].string ?? ""))
    case ("StationaryChanged", "b"): if let isStationary = arguments[0].boolean { handler(.stationary(isStationary)) }
    default: break
    }
  }
}
