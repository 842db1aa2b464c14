import Beacons
import ClientSessions
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
    check: @escaping (Sessions, SessionObject, [DBusValue]) throws(DBusError) -> Void,
    _ body: @escaping (Sessions, SessionObject, [DBusValue]) throws(DBusError) -> Answer
  ) -> DBusMethod {
    .deferred(name, in: inputs, out: outputs) { [unowned self] call in
      do throws(DBusError) {
        let object = try session(at: call.path)
        try refusing(try service.requireCapabilities(of: object.session))
        try check(self, object, call.arguments)
        whenPermitted(.whenInUse, object, call) { sessions, object throws(DBusError) in try body(sessions, object, call.arguments) }
      } catch {
        call.fail(error)
      }
    }
  }

  /// Calls `body` when the session may use the location, and answers with its result or with the refusal.
  func whenPermitted(
    _ use: Use, _ object: SessionObject, _ call: MethodCall, _ body: @escaping (Sessions, SessionObject) throws(DBusError) -> Answer
  ) {
    service.permit(use, object.session) { [weak self] result in
      do throws(DBusError) {
        try refusing(try result.get())
        // The object of a session that has ended must not wait for a person.
        guard let self, case let object = try session(at: call.path) else { return }
        let answer = try body(self, object)
        call.reply(answer.values)
        answer.next()
      } catch {
        call.fail(error)
      }
    }
  }

  var requestAuthorization: DBusMethod {
    .deferred(
      "RequestAuthorization", in: [DBusArgument("use", "s")], out: [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]
    ) { [unowned self] call in
      do throws(DBusError) {
        guard let use = call.arguments[0].string.flatMap(Use.init(rawValue:)) else {
          throw .monitor(.invalidOptions, "use must be \"whenInUse\" or \"always\"")
        }
        service.authorize(use, try session(at: call.path).session) { result in
          call.complete(result) { [.string($0.authorization.rawValue), .string($0.reason)] }
        }
      } catch {
        call.fail(error)
      }
    }
  }

  /// Returns the caller's claims about itself: `purpose` (s) and optionally `appId` (s).
  func claim(_ busName: String, _ options: DBusValue) throws(DBusError) -> ConsentClient {
    for entry in options.entries ?? [] where !["purpose", "appId", "require", "passive"].contains(entry.key.string) {
      throw .monitor(
        .invalidOptions, "unknown option \"\(entry.key.string ?? "")\"; CreateSession has purpose, appId, require and passive")
    }
    try OptionType.check(options, ["purpose": .string, "appId": .string, "passive": .flag])
    guard let text = options["purpose"]?.string else {
      throw .monitor(
        .invalidOptions, "purpose is missing; say in a few words why the program needs beacons, such as \"Shows the exhibit you stand at\""
      )
    }
    guard let purpose = Purpose(text) else {
      throw .monitor(.invalidOptions, "purpose must be one line of at most \(Purpose.longest) characters that can be shown")
    }
    var app: AppID?
    if let value = options["appId"] {
      app = value.string.flatMap(AppID.init)
      guard app != nil else { throw .monitor(.invalidOptions, "appId must be a name such as \"org.example.Guide\"") }
    }
    guard let person = callers.person(busName) else { throw .accessDenied("the bus does not identify the caller") }
    return ConsentClient(busName: busName, person: person, app: app, purpose: purpose)
  }

  /// Returns the capabilities that a new session requires, each once.
  func requirements(_ options: DBusValue) throws(DBusError) -> [RequiredCapability] {
    guard let value = options["require"] else { return [] }
    let names = RequiredCapability.allCases.map(\.rawValue)
    guard let texts = value.strings else {
      throw .invalidArguments("require must be a list of texts (as), some of \(names.joined(separator: ", "))")
    }
    for text in texts where !names.contains(text) {
      throw .monitor(.invalidOptions, "require: \"\(text)\" is not a capability; use some of \(names.joined(separator: ", "))")
    }
    return RequiredCapability.allCases.filter { texts.contains($0.rawValue) }
  }
}
