import Consent
import DBus
import Instants
import MonitorProtocol
import Records

/// The daemon's decisions about which users may learn the device's location.
public struct RemotePrivacy {
  let connection: DBusConnection

  /// Requests everything that `beaconmon privacy` shows, as one JSON object with the keys of `PrivacyStatus`.
  public func overview(_ completion: @escaping (Result<Record, DBusError>) -> Void) {
    list("Decisions") { decisions in
      list("Requests") { requests in
        list("Uses") { uses in
          list("Registrations") { registrations in
            connection.properties(MonitorNames.privacy) { properties in
              do throws(DBusError) {
                var overview = try properties.get()
                overview.append("decisions", .list(try decisions.get()))
                overview.append("requests", .list(try requests.get()))
                overview.append("uses", .list(try uses.get()))
                overview.append("registrations", .list(try registrations.get()))
                completion(.success(overview))
              } catch {
                completion(.failure(error))
              }
            }
          }
        }
      }
    }
  }

  /// Removes the regions that an app of the user has registered.
  public func removeRegistrations(of app: String, user: UInt32, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    act("RemoveRegistrations", [.uint32(user), .string(app)], completion)
  }

  /// Requests whether location services are on. Every user may ask.
  public func isEnabled(_ completion: @escaping (Result<Bool, DBusError>) -> Void) {
    connection.properties(MonitorNames.privacy) { completion($0.map { $0["locationServicesEnabled"] != .flag(false) }) }
  }

  /// Records a decision.
  ///
  /// - Parameter authorization: `whenInUse`, `always` or `denied`; nil forgets the decision.
  public func decide(_ subject: Subject, _ authorization: Authorization?, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    let arguments = subject.arguments
    switch authorization {
    case .whenInUse, .always: act("Grant", arguments + [.string(authorization?.rawValue ?? "")], completion)
    case .denied: act("Revoke", arguments, completion)
    case .notDetermined, nil: act("Reset", arguments, completion)
    }
  }

  public func setEnabled(_ isEnabled: Bool, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    act("SetLocationServicesEnabled", [.boolean(isEnabled)], completion)
  }

  private func list(_ member: String, _ completion: @escaping (Result<[Record], DBusError>) -> Void) {
    call(member) { completion($0.map { ($0.first?.elements ?? []).compactMap { Record($0) } }) }
  }

  private func act(_ member: String, _ arguments: [DBusValue], _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    call(member, arguments) { completion($0.map { _ in }) }
  }

  private func call(
    _ member: String, _ arguments: [DBusValue] = [], completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.privacy, member: member, arguments,
      // polkit may have to ask an administrator.
      timeout: .seconds(300), completion: completion)
  }
}

extension MonitorClient {
  public var privacy: RemotePrivacy { RemotePrivacy(connection: connection) }
}

extension Subject {
  fileprivate var arguments: [DBusValue] { [.string(kind.rawValue), .uint32(number)] }
}

extension DBusError {
  /// True if the daemon refused because consent is denied or there is no decision.
  public var isLackOfConsent: Bool {
    monitorError == .notAuthorized || monitorError == .locationServicesDisabled
  }

  /// True if the device lacks a capability that the session requires.
  public var isMissingCapability: Bool { monitorError == .missingCapability }

  /// True if the app has not registered the region.
  public var isNotRegistered: Bool { monitorError == .notRegistered }
}
