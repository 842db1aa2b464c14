import BrokerDefinitions
import Glibc
import Partitions

/// The users of a broker, which `rabbitmqctl` changes.
public struct BrokerControl {
  private let command: Command

  /// - Parameter command: the words of the command, such as `["rabbitmqctl"]` or `["ssh", "broker", "rabbitmqctl"]`
  public init(command: [String]) { self.command = Command(command) }

  /// Makes the queues, gives each device a user, and removes the users of other devices.
  ///
  /// Returns the differences that it found. Calls of `rabbitmqctl` have the hash of the password and not the password.
  /// The connections of removed users end at once, and so do those of users that had a password or could publish as another device,
  /// or of a user `hub` with another password.
  /// A user whose name is not a common name of a device stays as it is.
  public func synchronise(_ map: QueueMap, _ devices: [DeviceLogin], _ password: HubPassword) throws(CommandError) -> BrokerChanges {
    let exported = try command.run(["--quiet", "export_definitions", "-"])
    let users: BrokerUsers
    do { users = try BrokerUsers(definitions: exported) } catch {
      throw CommandError(description: "rabbitmqctl export_definitions printed something else than the definitions: \(error)")
    }
    let changes = users.changes(for: devices, map, password)
    // RabbitMQ ends the MQTT connections of a user when it deletes the user; close_all_user_connections leaves them open.
    if let deletion = UserDeletion(of: changes.deleted) { try run(["eval"], input: deletion.expression) }
    for step in changes.imports(map, majorVersion: users.majorVersion) { try run(["import_definitions"], input: step) }
    return changes
  }

  /// Returns a text about queues that lack nodes of a cluster; nil if there are none, or if the broker does not print them.
  public func memberWarning(_ map: QueueMap) -> String? {
    guard let status = try? command.run(["--quiet", "cluster_status", "--formatter", "json"]),
      let nodes = QueueMembers.nodes(status: status), nodes > 1,
      let queues = try? command.run(["--quiet", "list_queues", "--no-table-headers", "name", "members"])
    else { return nil }
    return QueueMembers(status: status, queues: queues)?.warning(map)
  }

  /// Runs a subcommand with a text as its standard input, which also works on another machine.
  private func run(_ arguments: [String], input: String) throws(CommandError) {
    var path = Array("/tmp/beaconmon-hub.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw CommandError(description: "a temporary file: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    unlink(path)
    let octets = Array(input.utf8)
    guard write(descriptor, octets, octets.count) == octets.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw CommandError(description: "a temporary file: \(String(cString: strerror(errno)))")
    }
    try command.run(["--quiet"] + arguments, input: descriptor)
  }
}
