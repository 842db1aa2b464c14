import Consent
import DBus
import Instants
import MonitorProtocol
import Records

/// Who may learn where the device is, as the daemon keeps it.
public struct RemotePrivacy {
  let connection: DBusConnection

  /// As `beaconmon privacy` shows it.
  public struct Overview {
    public let isEnabled: Bool
    /// What is wrong with the file of decisions, or was at the daemon's start.
    public let note: String?
    public let decisions: [Record]
    public let requests: [Record]
    public let uses: [Record]
    public let registrations: [Record]

    /// As one JSON object has it.
    public var record: Record {
      Record([
        "locationServicesEnabled": .flag(isEnabled), "consentNote": note.map { .text($0) }, "decisions": .list(decisions),
        "requests": .list(requests), "uses": .list(uses), "registrations": .list(registrations),
      ])
    }
  }

  public func overview(_ completion: @escaping (Result<Overview, DBusError>) -> Void) {
    list("Decisions") { decisions in
      list("Requests") { requests in
        list("Uses") { uses in
          list("Registrations") { registrations in
            standing { standing in
              do throws(DBusError) {
                let (isEnabled, note) = try standing.get()
                completion(
                  .success(
                    Overview(
                      isEnabled: isEnabled, note: note, decisions: try decisions.get(), requests: try requests.get(),
                      uses: try uses.get(), registrations: try registrations.get())))
              } catch {
                completion(.failure(error))
              }
            }
          }
        }
      }
    }
  }

  /// Forgets the regions that an app of that user has registered.
  public func removeRegistrations(of app: String, user: UInt32, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    act("RemoveRegistrations", [.uint32(user), .string(app)], completion)
  }

  /// How the switch stands. Everybody may ask.
  public func isEnabled(_ completion: @escaping (Result<Bool, DBusError>) -> Void) {
    standing { completion($0.map(\.isEnabled)) }
  }

  /// How the switch stands, and for insiders what is wrong with the file of decisions.
  func standing(_ completion: @escaping (Result<(isEnabled: Bool, note: String?), DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
      [.string(MonitorNames.privacy)]
    ) { reply in
      completion(reply.map { ($0.first?["LocationServicesEnabled"]?.boolean ?? true, $0.first?["ConsentNote"]?.string) })
    }
  }

  /// - Parameter authorization: `whenInUse`, `always` or `denied`; nil forgets what was decided.
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
  fileprivate var arguments: [DBusValue] {
    switch self {
    case .user(let number): [.string("user"), .uint32(number)]
    case .group(let number): [.string("group"), .uint32(number)]
    }
  }
}

extension DBusError {
  /// The daemon tells nothing because somebody decided so, or nobody has decided.
  public var isLackOfConsent: Bool {
    [MonitorNames.notAuthorized, MonitorNames.locationServicesDisabled].contains { name == MonitorNames.errorPrefix + $0 }
  }

  /// The app has no such region.
  public var isNotRegistered: Bool { name == MonitorNames.errorPrefix + "NotRegistered" }
}
