import Consent
import ConsentService
import DBus
import MonitorProtocol
import Monitoring
import Records
import Status

/// `org.beaconmon.Monitor1.Privacy`: the decisions on consent, the requests for it, and the methods that decide.
final class Privacy {
  private unowned let authority: ConsentService
  private let callers: Callers
  private unowned let monitoring: MonitoringService

  init(_ authority: ConsentService, _ callers: Callers, _ monitoring: MonitoringService) {
    self.authority = authority
    self.callers = callers
    self.monitoring = monitoring
  }

  var interface: DBusInterface {
    let subject = [DBusArgument("kind", "s"), DBusArgument("number", "u")]
    let (authority, monitoring) = (authority, monitoring)
    func decide(_ subject: Subject, _ authorization: Authorization?, _ person: Person) throws(DBusError) {
      do throws(ConsentFailure) {
        try authority.decide(subject, authorization, by: person)
      } catch {
        throw .failed(error.reason)
      }
    }
    return DBusInterface(
      MonitorNames.privacy,
      methods: [
        DBusMethod("Decisions", out: [DBusArgument("decisions", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.decisions.map(\.record.dbusValue))]
        }.forInsiders,
        DBusMethod("Requests", out: [DBusArgument("requests", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.requests.map(\.record.dbusValue))]
        }.forInsiders,
        DBusMethod("Uses", out: [DBusArgument("uses", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.uses.map(\.record.dbusValue))]
        }.forInsiders,
        DBusMethod("Registrations", out: [DBusArgument("registrations", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", monitoring.registeredRegions.map(\.record.dbusValue))]
        }.forInsiders,
        managing("RemoveRegistrations", [DBusArgument("user", "u"), DBusArgument("appId", "s")]) { arguments, _ throws(DBusError) in
          try monitoring.remove(arguments)
        },
        managing("Grant", subject + [DBusArgument("authorization", "s")]) { arguments, person throws(DBusError) in
          try decide(try Subject(arguments), try Authorization(granted: arguments[2]), person)
        },
        managing("Revoke", subject) { arguments, person throws(DBusError) in
          try decide(try Subject(arguments), .denied, person)
        },
        managing("Reset", subject) { arguments, person throws(DBusError) in
          try decide(try Subject(arguments), nil, person)
        },
        managing("SetLocationServicesEnabled", [DBusArgument("enabled", "b")]) { arguments, _ throws(DBusError) in
          do throws(ConsentFailure) {
            try authority.setEnabled(arguments[0].boolean ?? true)
          } catch {
            throw .failed(error.reason)
          }
        },
      ],
      properties: [
        DBusProperty(LocationServicesStatus.key(\.isEnabled)) { authority.isEnabled },
        DBusProperty(LocationServicesStatus.key(\.note)) { authority.note }.forInsiders,
      ])
  }

  /// Returns a method for callers that may decide for other users, and for users that withdraw their own permission.
  private func managing(
    _ name: String, _ inputs: [DBusArgument], _ body: @escaping ([DBusValue], Person) throws(DBusError) -> Void
  ) -> DBusMethod {
    .deferred(name, in: inputs) { [unowned self] call in
      guard let person = callers.person(call.sender) else { return call.fail(.accessDenied("the bus does not identify the caller")) }
      func act() {
        do throws(DBusError) {
          try body(call.arguments, person)
          call.reply()
        } catch {
          call.fail(error)
        }
      }
      if Self.isOwn(name, call.arguments, person.number) { return act() }
      authority.authorizeManager(person, busName: call.sender) { isAllowed in
        guard isAllowed else {
          return call.fail(
            .accessDenied("\(name) requires an administrator; call it as root, or let polkit permit org.beaconmon.monitor.manage"))
        }
        act()
      }
    }
  }
}

extension Privacy {
  /// Returns true if the user withdraws a permission, or removes registrations, of their own.
  private static func isOwn(_ method: String, _ arguments: [DBusValue], _ user: UInt32) -> Bool {
    switch method {
    case "Revoke": arguments[0].string == "user" && arguments[1].integer() == user
    case "RemoveRegistrations": arguments[0].integer() == user
    default: false
    }
  }
}

extension MonitoringService {
  fileprivate func remove(_ arguments: [DBusValue]) throws(DBusError) {
    let name = arguments[1].string ?? ""
    guard let user = arguments[0].integer(UInt32.self), let app = AppID(name), !registeredIdentifiers(of: app, user: user).isEmpty else {
      throw .monitor(
        .notRegistered, "no app \"\(name)\" of this user has registered a region; \"beaconmon privacy\" lists those that have")
    }
    try remove(nil, of: app, user: user)
  }

  /// Unregisters a region, or all regions of the app.
  func remove(_ identifier: String?, of app: AppID, user: UInt32) throws(DBusError) {
    do throws(RegistrationError) {
      try unregister(identifier, of: app, user: user)
    } catch {
      throw .failed(error.reason)
    }
  }
}

extension Subject {
  fileprivate init(_ arguments: [DBusValue]) throws(DBusError) {
    guard let number = arguments[1].integer(UInt32.self) else { throw .invalidArguments("number must be the number of a user or a group") }
    guard let kind = arguments[0].string.flatMap(Kind.init(rawValue:)) else {
      throw .invalidArguments("kind must be \"user\" or \"group\"")
    }
    self.init(kind: kind, number: number)
  }
}

extension Authorization {
  fileprivate init(granted value: DBusValue) throws(DBusError) {
    switch value.string {
    case "whenInUse": self = .whenInUse
    case "always": self = .always
    default: throw .invalidArguments("authorization must be \"whenInUse\" or \"always\"; use Revoke to deny")
    }
  }
}
