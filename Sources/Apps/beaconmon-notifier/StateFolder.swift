import EventLoop
import Failures
import Glibc

/// Where the outbox is.
struct StateFolder {
  /// Nil: nowhere, the outbox ends with the process.
  let path: String?

  /// `--state`, else the one that systemd made for the unit (systemd.exec(5), `StateDirectory=`), else the user's in a session.
  init(flag: String?, isSession: Bool) {
    let environment = ChildCommand.ownEnvironment()
    let given = flag ?? environment["STATE_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    path = given ?? (isSession ? Self.usersFolder(environment) : nil)
  }

  var outbox: String? { path.map { "\($0)/outbox.db" } }

  /// Makes the folder where there is none; only its owner may look into it.
  func make() throws(Failure) {
    guard let path else { return }
    var parent = ""
    for element in path.split(separator: "/", omittingEmptySubsequences: false) {
      parent += element + "/"
      guard mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS || errno == EACCES else {
        throw Failure(.osError, "\(SystemCallError.last("mkdir", path)); name another folder with --state")
      }
    }
  }

  private static func usersFolder(_ environment: [String: String]) -> String {
    let folder = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(environment["HOME"] ?? "")/.local/state"
    return "\(folder)/beaconmon"
  }
}
