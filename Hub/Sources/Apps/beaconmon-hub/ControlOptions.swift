import ArgumentParser
import BrokerDefinitions
import Commands
import FleetDatabase

struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The command that changes the users of the broker, such as \"ssh broker1 sudo rabbitmqctl\". Without it, only the database changes, and "
        + "\"beaconmon-hub admin users\" does the rest.", valueName: "command"))
  var rabbitmqctl: String?

  /// Throws if the password of the broker is missing, before a command has changed anything.
  func validate() throws { if rabbitmqctl != nil { _ = try brokerPassword() } }

  /// Gives the broker the users of the enrolled devices.
  func synchronise(_ database: EnrolmentDatabase) throws {
    guard let words = rabbitmqctl?.split(separator: " ").map(String.init), !words.isEmpty else { return }
    let (control, map) = (BrokerControl(command: words), try database.queues())
    let changes = try control.synchronise(map, try database.logins(), try brokerPassword())
    if let warning = control.memberWarning(map) { print("warning: \(warning)") }
    for line in changes.lines(command: words.joined(separator: " ")) { print(line) }
  }

  /// Gives the broker the users after a command has changed the database, or prints the command that does it later.
  ///
  /// - Parameter change: the change in the database, such as "enrolled"
  func finish(_ change: String, _ database: EnrolmentDatabase) throws {
    guard let rabbitmqctl else {
      return print("the broker is not changed yet; run \"beaconmon-hub admin users --rabbitmqctl rabbitmqctl\" to change it")
    }
    do { try synchronise(database) } catch {
      throw BrokerChangeError(
        description: "the devices are \(change) in the database, but the broker may be unchanged; "
          + "run \"beaconmon-hub admin users --rabbitmqctl '\(rabbitmqctl)'\" when this is solved: \(error)")
    }
  }
}

/// The error of a change of the broker that follows a change of the database.
struct BrokerChangeError: Error, CustomStringConvertible { var description: String }
