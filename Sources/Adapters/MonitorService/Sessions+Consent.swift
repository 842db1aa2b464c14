import Consent
import ConsentService
import DBus
import MonitorProtocol

// MARK: Authorization of a session

extension Sessions {
  /// Returns a method that requires the authorization `whenInUse`.
  ///
  /// - Parameter check: refuses invalid arguments before the user is asked.
  func consented(
    _ name: String, _ inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [],
    check: @escaping (Sessions, Session, [DBusValue]) throws(DBusError) -> Void,
    _ body: @escaping (Sessions, Session, [DBusValue]) throws(DBusError) -> Answer
  ) -> DBusMethod {
    .deferred(name, in: inputs, out: outputs) { [unowned self] call in
      do throws(DBusError) {
        let session = try session(at: call.path)
        try requireCapabilities(of: session)
        try check(self, session, call.arguments)
      } catch {
        return call.fail(error)
      }
      whenAuthorized(.whenInUse, call) { [weak self] verdict throws(DBusError) in
        // The session may have ended while a person decided.
        guard let self, case let session = try session(at: call.path) else { return }
        guard verdict.authorization.covers(.whenInUse) else { throw verdict.error }
        let answer = try body(self, session, call.arguments)
        session.beginUse()
        call.reply(answer.values)
        answer.next()
      }
    }
  }

  var requestAuthorization: DBusMethod {
    .deferred(
      "RequestAuthorization", in: [DBusArgument("use", "s")], out: [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]
    ) { [unowned self] call in
      guard let use = call.arguments[0].string.flatMap(Use.init(rawValue:)) else {
        return call.fail(.monitor("InvalidOptions", "use must be \"whenInUse\" or \"always\""))
      }
      whenAuthorized(use, call) { verdict throws(DBusError) in
        call.reply([.string(verdict.authorization.rawValue), .string(verdict.reason)])
      }
    }
  }

  /// Calls `body` with the decision when there is one. An error that `body` throws becomes the answer.
  func whenAuthorized(
    _ use: Use, _ call: MethodCall, _ body: @escaping (ConsentPolicy.Verdict) throws(DBusError) -> Void
  ) {
    func answer(_ verdict: ConsentPolicy.Verdict) {
      do throws(DBusError) {
        try body(verdict)
      } catch {
        call.fail(error)
      }
    }
    do throws(DBusError) {
      try authorize(use, try session(at: call.path), completion: answer)
    } catch {
      call.fail(error)
    }
  }

  private func authorize(
    _ use: Use, _ session: Session, completion: @escaping (ConsentPolicy.Verdict) -> Void
  ) throws(DBusError) {
    let verdict = session.verdict
    guard verdict.isOpen(for: use) else { return completion(verdict) }
    try SessionLimits.admitWaitingCall(session)
    let user = session.user
    session.waitingCalls += 1
    user.waitingCalls += 1
    authority.request(use, for: session.claim) { [weak session] verdict in
      session?.waitingCalls -= 1
      user.waitingCalls -= 1
      completion(verdict)
    }
  }

  /// Takes over changed decisions: sessions that are no longer allowed stop receiving data.
  func consentChanged() {
    for session in all {
      let verdict = session.verdict
      guard verdict.authorization != session.reportedAuthorization else { continue }
      session.reportedAuthorization = verdict.authorization
      if !verdict.authorization.covers(.whenInUse) {
        session.stop()
        locations.withdraw(session, verdict.error)
        headings.forget(session)
        appointments.withdraw(session)
        guidance.withdraw(session, verdict.error)
      } else {
        locations.allow(session)
        appointments.allow(session)
      }
      session.emit("AuthorizationChanged", [.string(verdict.authorization.rawValue), .string(verdict.reason)])
      locations.reportManual(session)
    }
  }

  /// Returns the caller's claims about itself: `purpose` (s) and optionally `appId` (s).
  func claim(_ busName: String, _ options: DBusValue) throws(DBusError) -> ConsentClient {
    for entry in options.entries ?? [] where !["purpose", "appId", "require", "passive"].contains(entry.key.string) {
      throw .monitor(
        "InvalidOptions", "unknown option \"\(entry.key.string ?? "")\"; CreateSession has purpose, appId, require and passive")
    }
    try OptionType.check(options, ["purpose": .string, "appId": .string, "passive": .flag])
    guard let text = options["purpose"]?.string else {
      throw .monitor(
        "InvalidOptions", "purpose is missing; say in a few words why the program needs beacons, such as \"Shows the exhibit you stand at\""
      )
    }
    guard let purpose = Purpose(text) else {
      throw .monitor("InvalidOptions", "purpose must be one line of at most \(Purpose.longest) characters that can be shown")
    }
    var app: AppID?
    if let value = options["appId"] {
      app = value.string.flatMap(AppID.init)
      guard app != nil else { throw .monitor("InvalidOptions", "appId must be a name such as \"org.example.Guide\"") }
    }
    guard let person = callers.person(busName) else { throw .accessDenied("the bus does not identify the caller") }
    return ConsentClient(busName: busName, person: person, app: app, purpose: purpose)
  }
}

extension ConsentPolicy.Verdict {
  var error: DBusError {
    .monitor(basis == .switchedOff ? MonitorNames.locationServicesDisabled : MonitorNames.notAuthorized, reason)
  }
}
