import Headings
import Instants
import LocationArbitration

// MARK: Clients

extension HeadingService {
  /// Starts updates, whose outputs go to `onOutput`, or replaces the client's request.
  public func listen(_ client: Client, _ request: HeadingRequest) {
    guard var state = HeadingClient(request) else { return }
    let isFirst = clients.isEmpty
    if let previous = clients[client] { state.keep(previous) }
    clients[client] = state
    setRate()
    requestLocations()
    if isFirst {
      switchOn()
    } else if let failure {
      reportFailure(.unavailable, failure)
    }
  }

  /// Ends the updates of a client.
  public func end(_ client: Client) {
    guard clients.removeValue(forKey: client) != nil else { return }
    setRate()
    if clients.isEmpty { switchOff() }
    requestLocations()
  }

  /// Ends all updates, and stores the calibration. The program ends afterwards.
  public func end() {
    switchOff()
    for source in sources { source.finish() }
    clients = [:]
    requestLocations()
  }

  /// Ends the present need of a calibration for a client. The next need is reported again.
  public func dismissCalibration(_ client: Client) {
    guard clients[client]?.dismiss() == true else { return }
    onOutput(.calibration(client, compass.calibrationStatus(isNeeded: false)))
  }

  /// A client without a filter, such as a plot of the field, wants each sample.
  func setRate() {
    let isFast = clients.values.contains { $0.request.filter == 0 }
    for source in sources { source.isFast = isFast }
  }

  func requestLocations() {
    let wanted: Bool? = clients.isEmpty ? nil : clients.values.contains { $0.request.followsTravel }
    guard wanted != isTravelRequested else { return }
    isTravelRequested = wanted
    if wanted == nil { (place, course, travel) = (nil, nil, TravelDirection()) }
    locations.request(wanted.map { $0 ? LocationRequest() : .significantChanges })
    if wanted != nil, let location = locations.location { take(location) }
  }
}
