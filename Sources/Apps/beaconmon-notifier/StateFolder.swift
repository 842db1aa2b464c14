import EventLoop
import Failures
import LocalTargets
import ProgramSupport
import ShareFiles

/// The folder of the outbox.
struct StateFolder {
  /// The path; nil for an outbox that ends with the process.
  let path: String?

  /// The outbox of the system's service.
  static let outboxOfService = "/var/lib/beaconmon-notifier/outbox.db"

  /// Selects `--state`, else systemd's folder for the unit, else the user's folder in a session.
  /// systemd.exec(5), `StateDirectory=`.
  init(flag: String?, isSession: Bool) {
    let given = flag ?? ChildCommand.ownEnvironment()["STATE_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    path = given ?? (isSession ? UserFolder.state : nil)
  }

  /// The file of the user's decisions about the offers of venues.
  var offers: String? { path.map { "\($0)/\(OfferFile.name)" } }

  /// The file of the consent to shares of the position.
  var shares: String? { path.map { "\($0)/\(ShareFile.name)" } }

  var outbox: String? { path.map { "\($0)/outbox.db" } }

  /// Makes the folder if it is missing; only its owner may enter it.
  func make() throws(Failure) {
    guard let path else { return }
    do throws(SystemCallError) {
      try Folder.make(path)
    } catch {
      throw Failure(.osError, "\(error); name another folder with --state")
    }
  }
}
