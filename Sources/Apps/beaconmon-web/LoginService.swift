import Consent
import DBus
import EventLoop
import Failures
import Glibc
import Logging
import MonitorProtocol
import WebAccess

/// The object on the bus that makes logins, for root and the user of this process.
final class LoginService {
  private let access: WebAccess
  /// The address of the page, without a slash at its end.
  var address = ""
  private let tree: ObjectTree
  private let credentials: PeerCredentials
  /// Runs after the end of all sessions.
  var onEnd: () -> Void = {}
  private var object: ExportedObject?
  private var name: OwnedName?

  init(_ connection: DBusConnection, _ access: WebAccess, _ log: Logger) throws(Failure) {
    self.access = access
    tree = ObjectTree(connection: connection)
    credentials = PeerCredentials(connection)
    tree.identify = { [credentials] in credentials.find($0, completion: $1) }
    // A login may permit changes, so the members of the group make none.
    let insiders = Insiders(user: getuid())
    tree.isInsider = { [credentials] in credentials[$0].map { insiders.contains(user: $0.userID, groups: $0.groupIDs) } ?? false }
    do throws(DBusError) {
      object = try tree.export(WebNames.path, [interface], for: .insiders)
    } catch {
      throw Failure(.osError, "\(error)")
    }
    name = connection.requestName(WebNames.bus) { state in
      switch state {
      case .owned, .lost: break
      case .taken: log.warning("another beaconmon-web runs on this bus; \"beaconmon web login\" makes logins for that one")
      case .refused(let error):
        log.warning("the bus refuses the name \(WebNames.bus): \(error.message); logins can only be made with --login")
      }
    }
  }

  /// Returns the address of a login, which can be used once.
  func address(for role: WebRole) -> String { "\(address)/login#\(access.makeToken(role))" }

  private var interface: DBusInterface {
    DBusInterface(
      WebNames.interface,
      methods: [
        DBusMethod("CreateToken", in: [DBusArgument("role", "s")], out: [DBusArgument("url", "s")]) {
          [unowned self] call throws(DBusError) in
          let text = call.arguments[0].string ?? ""
          guard let role = WebRole(rawValue: text) else {
            throw .invalidArguments("\"\(text)\" is not a role; the roles are view and edit")
          }
          return [.string(address(for: role))]
        },
        DBusMethod("EndSessions") { [unowned self] _ in
          access.logoutAll()
          onEnd()
          return []
        },
      ])
  }
}
