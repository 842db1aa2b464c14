import Consent
import DBus

// MARK: What a session may

extension Sessions {
  /// A method that answers nothing, and that only a session may call whose user is allowed to know.
  func consented(
    _ name: String, _ inputs: [DBusArgument] = [], _ body: @escaping (Sessions, Session, [DBusValue]) throws(DBusError) -> Void
  ) -> DBusMethod {
    .deferred(name, in: inputs) { [unowned self] call in
      do throws(DBusError) {
        let session = try session(at: call.path)
        authorize(.whenInUse, session) { [weak self] verdict in
          guard let self else { return }
          do throws(DBusError) {
            // It may have ended while people thought it over.
            let session = try self.session(at: call.path)
            guard verdict.authorization.covers(.whenInUse) else { throw verdict.error }
            try body(self, session, call.arguments)
            session.beginUse()
            call.reply()
          } catch {
            call.fail(error)
          }
        }
      } catch {
        call.fail(error)
      }
    }
  }

  var consentMethods: [DBusMethod] {
    [
      DBusMethod("GetAuthorization", out: [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]) {
        [unowned self] call throws(DBusError) in
        let verdict = authority.verdict(for: try session(at: call.path).claim.person)
        return [.string(verdict.authorization.rawValue), .string(verdict.reason)]
      },
      .deferred(
        "RequestAuthorization", in: [DBusArgument("use", "s")],
        out: [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]
      ) { [unowned self] call in
        do throws(DBusError) {
          guard let use = call.arguments[0].string.flatMap(Use.init(rawValue:)) else {
            throw .monitor("InvalidOptions", "use must be \"whenInUse\" or \"always\"")
          }
          authorize(use, try session(at: call.path)) { verdict in
            call.reply([.string(verdict.authorization.rawValue), .string(verdict.reason)])
          }
        } catch {
          call.fail(error)
        }
      },
    ]
  }

  private func authorize(_ use: Use, _ session: Session, completion: @escaping (ConsentPolicy.Verdict) -> Void) {
    let verdict = authority.verdict(for: session.claim.person)
    guard verdict.basis == .nothing || !verdict.authorization.covers(use) && verdict.authorization.covers(.whenInUse) else {
      return completion(verdict)
    }
    authority.request(use, for: session.claim, completion: completion)
  }

  /// Something was decided: who is not allowed any more hears nothing from now on.
  func consentChanged() {
    for session in all {
      let verdict = authority.verdict(for: session.claim.person)
      guard verdict.authorization != session.toldAuthorization else { continue }
      session.toldAuthorization = verdict.authorization
      if !verdict.authorization.covers(.whenInUse) { session.end() }
      session.emit("AuthorizationChanged", [.string(verdict.authorization.rawValue), .string(verdict.reason)])
    }
  }

  /// What the caller says of itself: `purpose` (s) and, if it likes, `appId` (s).
  func claim(_ busName: String, _ options: DBusValue) throws(DBusError) -> ConsentClient {
    for entry in options.entries ?? [] where !["purpose", "appId"].contains(entry.key.string) {
      throw .monitor("InvalidOptions", "unknown option \"\(entry.key.string ?? "")\"; CreateSession has purpose and appId")
    }
    guard let text = options["purpose"]?.string else {
      throw .monitor(
        "InvalidOptions", "purpose is missing; say in a few words what the beacons are for, such as \"Shows the exhibit you stand at\"")
    }
    guard let purpose = Purpose(text) else {
      throw .monitor("InvalidOptions", "purpose must be one line of at most \(Purpose.longest) characters that can be shown")
    }
    var app: AppID?
    if let value = options["appId"] {
      app = value.string.flatMap(AppID.init)
      guard app != nil else { throw .monitor("InvalidOptions", "appId must be a name such as \"org.example.Guide\"") }
    }
    guard let person = callers.person(busName) else { throw .accessDenied("the bus does not say who calls") }
    return ConsentClient(busName: busName, person: person, app: app, purpose: purpose)
  }
}

extension ConsentPolicy.Verdict {
  fileprivate var error: DBusError {
    .monitor(basis == .switchedOff ? "LocationServicesDisabled" : "NotAuthorized", reason)
  }
}
