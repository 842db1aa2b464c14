import Beacons
import Consent
import DBus
import Events
import Instants
import MonitorProtocol
import Records
import Scheduling

extension RemoteSession {
  func start(_ member: String, _ argument: Record, _ number: UInt64) {
    call(member, [argument.dbusValue], timeout: Self.thinking) { [unowned self] reply in
      if case .failure(let error) = reply {
        perform(plan.answered(number, error, at: now))
      } else {
        perform(plan.answered(number, nil, at: now))
      }
    }
  }

  func register(_ member: String, _ argument: DBusValue, _ identifier: String) {
    call(member, [argument], timeout: Self.thinking) { [unowned self] reply in
      if case .failure(let error) = reply {
        perform(plan.registrationAnswered(identifier, error))
      } else {
        perform(plan.registrationAnswered(identifier, nil))
      }
    }
  }

  func authorize(_ use: Use) {
    call("RequestAuthorization", [.string(use.rawValue)], timeout: Self.thinking) { [unowned self] reply in
      guard case .success(let values) = reply, values.count == 2,
        let authorization = values[0].string.flatMap(Authorization.init(rawValue:))
      else { return }
      perform(plan.authorized(authorization, reason: values[1].string ?? ""))
    }
  }

  func requestStateNow(_ identifier: String) {
    call("RequestState", [.string(identifier)]) { [unowned self] reply in
      guard case .success(let values) = reply, let details = values.first.flatMap({ Record($0) }) else { return }
      perform(plan.regionState(identifier, RegionReport(details)))
    }
  }

  func receive(_ signal: DBusMessage) {
    let arguments = signal.arguments
    switch (signal.member, signal.signature) {
    case ("Ranged", "a{sv}taa{sv}"):
      guard let constraint = BeaconConstraint(received: arguments[0]), let time = arguments[1].integer(Int64.self),
        plan.wants(.ranging(constraint))
      else { return }
      let beacons = (arguments[2].elements ?? []).compactMap { Record($0) }
      handler(.ranged(constraint, RangingSnapshot(time: Instant(microseconds: time), beacons: beacons)))
    case ("RegionState", "sa{sv}"):
      if let details = Record(arguments[1]) { perform(plan.regionState(arguments[0].string ?? "", RegionReport(details))) }
    case ("RegionEvent", "tssa{sv}"):
      if let event = Event(arguments[3]) { perform(plan.regionEvent(event)) }
    case ("AuthorizationChanged", "ss"):
      guard let authorization = arguments[0].string.flatMap(Authorization.init(rawValue:)) else { return }
      perform(plan.authorizationChanged(authorization, reason: arguments[1].string ?? ""))
    case ("Stopped", "s"):
      tryAgain(.monitor(.stopped, arguments[0].string ?? ""))
    case ("MissingCapabilitiesChanged", "aa{sv}"):
      let missing = Self.missing(arguments[0])
      handler(.missing(missing))
      if missing.isEmpty { perform(plan.requirementsMet()) }
    case ("HeadingUpdated", _), ("HeadingFailed", _), ("CalibrationNeeded", _): receiveHeading(signal)
    case ("AppointmentEvent", "ssa{sv}"): receiveAppointment(signal)
    case (let member?, _) where RemoteGuidanceEvent.members.contains(member): receiveGuidance(signal)
    default: receiveLocation(signal)
    }
  }

  static func missing(_ value: DBusValue?) -> [MissingCapability] {
    (value?.elements ?? []).compactMap { Record($0) }.map(MissingCapability.init)
  }

  /// Calls a method of the session; an answer to an earlier session is ignored.
  func call(
    _ member: String, _ arguments: [DBusValue], interface: String = MonitorNames.session, timeout: Span = .seconds(25),
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    guard let path else { return }
    connection.callDaemon(path, interface, member, arguments, timeout: timeout, completion: answers.current(completion))
  }
}

extension BeaconConstraint {
  /// Creates a constraint from a signal; nil if it is invalid, which the daemon does not send.
  init?(received value: DBusValue) {
    do throws(DBusError) {
      try self.init(options: value)
    } catch {
      return nil
    }
  }
}
