import Consent
import DBus

/// `org.beaconmon.Monitor1.Privacy`: who may learn where the device is, who asked, and who decides.
final class Privacy {
  private unowned let authority: any ConsentAuthority
  private let callers: Callers

  init(_ authority: any ConsentAuthority, _ callers: Callers) {
    self.authority = authority
    self.callers = callers
  }

  var interface: DBusInterface {
    let subject = [DBusArgument("kind", "s"), DBusArgument("number", "u")]
    let authority = authority
    return DBusInterface(
      MonitorNames.privacy,
      methods: [
        DBusMethod("Decisions", out: [DBusArgument("decisions", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.decisions.map(\.dbusValue))]
        }.forInsiders,
        DBusMethod("Requests", out: [DBusArgument("requests", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.requests.map(\.dbusValue))]
        }.forInsiders,
        DBusMethod("Uses", out: [DBusArgument("uses", "aa{sv}")]) { _ in
          [.array(of: "a{sv}", authority.uses.map(\.dbusValue))]
        }.forInsiders,
        managing("Grant", subject + [DBusArgument("authorization", "s")]) { arguments, person throws(DBusError) in
          try authority.decide(try Subject(arguments), try Authorization(granted: arguments[2]), by: person)
        },
        managing("Revoke", subject) { arguments, person throws(DBusError) in
          try authority.decide(try Subject(arguments), .denied, by: person)
        },
        managing("Reset", subject) { arguments, person throws(DBusError) in
          try authority.decide(try Subject(arguments), nil, by: person)
        },
        managing("SetLocationServicesEnabled", [DBusArgument("enabled", "b")]) { arguments, _ throws(DBusError) in
          try authority.setEnabled(arguments[0].boolean ?? true)
        },
      ],
      properties: [DBusProperty("LocationServicesEnabled", "b") { .boolean(authority.isEnabled) }])
  }

  /// A method that only those may call who decide for others, and whoever takes back a permission of one's own.
  private func managing(
    _ name: String, _ inputs: [DBusArgument], _ body: @escaping ([DBusValue], Person) throws(DBusError) -> Void
  ) -> DBusMethod {
    .deferred(name, in: inputs) { [unowned self] call in
      guard let person = callers.person(call.sender) else { return call.fail(.accessDenied("the bus does not say who calls")) }
      func act() {
        do throws(DBusError) {
          try body(call.arguments, person)
          call.reply()
        } catch {
          call.fail(error)
        }
      }
      if name == "Revoke", call.arguments[0].string == "user", call.arguments[1].integer() == person.number { return act() }
      authority.authorizeManager(person, busName: call.sender) { isAllowed in
        guard isAllowed else {
          return call.fail(
            .accessDenied("\(name) is for administrators; call it as root, or let polkit allow org.beaconmon.monitor.manage"))
        }
        act()
      }
    }
  }
}

extension Subject {
  fileprivate init(_ arguments: [DBusValue]) throws(DBusError) {
    guard let number = arguments[1].integer(UInt32.self) else { throw .invalidArguments("number must be that of a user or a group") }
    switch arguments[0].string {
    case "user": self = .user(number)
    case "group": self = .group(number)
    default: throw .invalidArguments("kind must be \"user\" or \"group\"")
    }
  }
}

extension Authorization {
  fileprivate init(granted value: DBusValue) throws(DBusError) {
    switch value.string {
    case "whenInUse": self = .whenInUse
    case "always": self = .always
    default: throw .invalidArguments("authorization must be \"whenInUse\" or \"always\"; Revoke denies")
    }
  }
}
