import EventLoop
import EventOutbox
import Failures
import Glibc
import Instants
import ProgramSupport
import SQLite

/// The output of `--outbox`: a line for each target with pending deliveries, and one for each delivery that was given up.
enum OutboxListing {
  static func write(_ path: String) throws(Failure) -> ExitStatus {
    guard access(path, F_OK) == 0 else {
      let error = SystemCallError.last("open", path)
      if error.code == EACCES {
        throw Failure(.noPermission, "\(error); run the command as its owner; for the service, with \"sudo -u beaconmon\"")
      }
      throw Failure(.noInput, "\(error); there is no outbox")
    }
    let loop = try ProgramLoop().loop
    do throws(DatabaseError) {
      let outbox = try Outbox(loop, path: path, device: "", isKept: true)
      for (target, count) in try outbox.waitingCounts() { Program.write("\(target): \(count) waiting\n", to: STDOUT_FILENO) }
      for letter in try outbox.deadLetters() {
        Program.write("\(letter.target): given up \(letter.time.rfc3339): \(letter.reason): \(letter.json)\n", to: STDOUT_FILENO)
      }
    } catch {
      throw Failure(.dataError, "\(error)")
    }
    return .ok
  }
}
