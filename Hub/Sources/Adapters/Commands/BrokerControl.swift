import BrokerDefinitions
import FleetMessages
import Glibc
import Partitions

/// The users of a broker, which `rabbitmqctl` changes.
public struct BrokerControl {
  private let command: Command

  /// - Parameter command: the words of the command, such as `["rabbitmqctl"]` or `["ssh", "broker", "rabbitmqctl"]`
  public init(command: [String]) { self.command = Command(command) }

  /// Makes the queues, gives each device a user, and removes the users of other devices, whose connections end at once.
  /// Returns the names of both.
  ///
  /// A user whose name is no common name of a device stays as it is.
  public func synchronise(_ map: QueueMap, _ devices: [FleetAddress]) throws(CommandError) -> (added: [String], removed: [String]) {
    let names = try command.run(["--quiet", "list_users", "--no-table-headers"]).split(separator: "\n").compactMap {
      $0.split(separator: "\t").first
    }
    let users = Set(names.map(String.init))
    let wanted = Set(devices.map(\.commonName))
    let surplus = users.subtracting(wanted).filter { FleetAddress(commonName: $0) != nil }.sorted()
    for user in surplus { try command.run(["--quiet", "delete_user", user]) }
    let missing = devices.filter { !users.contains($0.commonName) }
    let changed = try users.contains(BrokerDefinitions.hubUser) ? changedUsers(devices) : devices
    try importDefinitions(BrokerDefinitions(map: map, devices: changed).json)
    return (missing.map(\.commonName), surplus)
  }

  /// Returns the devices without a user, and those whose user has the permissions of an earlier version.
  private func changedUsers(_ devices: [FleetAddress]) throws(CommandError) -> [FleetAddress] {
    var present: [Substring: [Substring]] = [:]
    for line in try command.run(["--quiet", "list_permissions", "--no-table-headers"]).split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      if let user = columns.first { present[user] = Array(columns.dropFirst()) }
    }
    return devices.filter { device in
      let wanted = BrokerDefinitions.patterns(of: device)
      return present[device.commonName[...]] != [wanted.configure[...], wanted.write[...], wanted.read[...]]
    }
  }

  private func importDefinitions(_ definitions: String) throws(CommandError) {
    // The command reads the definitions from its standard input, which also works on another machine.
    var path = Array("/tmp/beaconmon-hub.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw CommandError(description: "a temporary file: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    unlink(path)
    let octets = Array(definitions.utf8)
    guard write(descriptor, octets, octets.count) == octets.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw CommandError(description: "a temporary file: \(String(cString: strerror(errno)))")
    }
    try command.run(["--quiet", "import_definitions"], input: descriptor)
  }
}
