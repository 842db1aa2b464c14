import EventLoop
import Failures
import ProgramSupport

/// Where the outbox is.
struct StateFolder {
  /// Nil: nowhere, the outbox ends with the process.
  let path: String?

  /// That of the unit.
  static let outboxOfService = "/var/lib/beaconmon-notifier/outbox.db"

  /// `--state`, else the one that systemd made for the unit (systemd.exec(5), `StateDirectory=`), else the user's in a session.
  init(flag: String?, isSession: Bool) {
    let given = flag ?? ChildCommand.ownEnvironment()["STATE_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    path = given ?? (isSession ? UserFolder.state : nil)
  }

  var outbox: String? { path.map { "\($0)/outbox.db" } }

  /// Makes the folder where there is none; only its owner may look into it.
  func make() throws(Failure) {
    guard let path else { return }
    do throws(SystemCallError) {
      try Folder.make(path)
    } catch {
      throw Failure(.osError, "\(error); name another folder with --state")
    }
  }
}
