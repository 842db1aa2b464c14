import Consent
import DBus
import Events
import Instants
import MonitorProtocol

// MARK: Answers and signals of the daemon

extension SessionPlan {
  mutating func daemonAppeared() -> [Action] {
    phase = .opening
    return [.open]
  }

  /// - Parameter capabilities: the capabilities of the device.
  mutating func opened(_ authorization: Authorization, reason: String, capabilities: [String], at time: Instant) -> [Action] {
    phase = .open
    awayReason = nil
    var actions = report(capabilities)
    if gapBegan == nil { actions.append(.report(.available(after: nil))) }
    actions += report(authorization, reason)
    if let wantedUse { actions.append(.authorize(wantedUse)) }
    if let manualLocation { actions.append(.setManualLocation(manualLocation)) }
    for index in items.indices { actions.append(ask(index)) }
    actions += registrations.opened() + searches.opened()
    resuming = gapBegan == nil ? [] : Set(calls.keys)
    return actions + endGap(at: time)
  }

  /// Handles the loss of the session, or a failure to open one.
  mutating func lost(_ reason: DBusError, at time: Instant) -> [Action] {
    if phase == .open, gapBegan == nil { gapBegan = time }
    phase = .away
    calls = [:]
    resuming = []
    for index in items.indices { items[index].step = .waiting }
    registrations.lost()
    searches.lost()
    guard awayReason != reason else { return [] }
    awayReason = reason
    return [.report(.away(reason))]
  }

  /// Repeats the requests that were refused for a missing capability, because the device now has what the session requires.
  ///
  /// A search for one location has ended with its refusal.
  mutating func requirementsMet() -> [Action] {
    guard phase == .open else { return [] }
    return items.indices.filter { items[$0].step == .refused(.capability) }.map { ask($0) } + registrations.requirementsMet()
  }

  mutating func answered(_ number: UInt64, _ error: DBusError?, at time: Instant) -> [Action] {
    guard let request = calls.removeValue(forKey: number) else { return [] }
    resuming.remove(number)
    guard let index = index(request) else { return (error == nil ? [.stop(request)] : []) + endGap(at: time) }
    guard items[index].step == .asked(number) else { return endGap(at: time) }
    if let error {
      items[index].step = .refused(Refusal(error))
      items[index].isStateRequested = false
      // An appointment that an earlier session had is refused when its beginning is past.
      if request.isAppointment, items[index].hasBegun, error.monitorError == .invalidOptions { return endGap(at: time) }
      return [.report(.refused(request, error))] + endGap(at: time)
    }
    items[index].step = .granted
    defer { items[index].hasBegun = true }
    return (items[index].isBeginning ? [.report(.began(request))] : []) + endGap(at: time)
  }

  mutating func registrationAnswered(_ identifier: String, _ error: DBusError?) -> [Action] { registrations.answered(identifier, error) }

  /// Handles the answer to `authorize`.
  mutating func authorized(_ authorization: Authorization, reason: String) -> [Action] {
    wantedUse = nil
    return authorizationChanged(authorization, reason: reason)
  }

  /// Takes over a changed authorization; without authorization, the daemon has ended all requests.
  mutating func authorizationChanged(_ authorization: Authorization, reason: String) -> [Action] {
    guard phase == .open else { return [] }
    var actions = report(authorization, reason)
    for index in items.indices {
      switch (authorization.covers(.whenInUse), items[index].step) {
      case (true, .refused(.consent)): actions.append(ask(index))
      // The location that the user states replaces that of the sources, or the reverse.
      case (_, .granted) where items[index].request == .locating && manualLocation != nil: actions.append(ask(index))
      case (false, .granted):
        items[index].step = .refused(.consent)
        actions.append(.report(.refused(items[index].request, .monitor(.notAuthorized, reason))))
      default: break
      }
    }
    return actions + registrations.authorizationChanged(authorization)
  }

  /// Handles the state of a region after its monitoring began, or after a request.
  mutating func regionState(_ identifier: String, _ report: RegionReport) -> [Action] {
    guard let index = index(.monitoring(identifier)), let state = report.state else { return [] }
    defer { (items[index].state, items[index].isStateRequested) = (state, false) }
    return items[index].state != state || items[index].isStateRequested ? [.report(.state(identifier, report))] : []
  }

  mutating func regionEvent(_ event: Event) -> [Action] {
    guard let index = index(.monitoring(event.region ?? "")) else { return [] }
    items[index].state = event.state ?? .unknown
    return [.report(.event(event))]
  }

  private mutating func report(_ authorization: Authorization, _ reason: String) -> [Action] {
    guard self.authorization != authorization || authorizationReason != reason else { return [] }
    (self.authorization, authorizationReason) = (authorization, reason)
    return [.report(.authorization(authorization, reason: reason))]
  }

  mutating func report(_ capabilities: [String]) -> [Action] {
    guard self.capabilities != capabilities else { return [] }
    self.capabilities = capabilities
    return [.report(.capabilities(capabilities))]
  }

  private mutating func endGap(at time: Instant) -> [Action] {
    guard phase == .open, resuming.isEmpty, let from = gapBegan else { return [] }
    gapBegan = nil
    return [.report(.available(after: SessionGap(from: from, to: time)))]
  }
}
