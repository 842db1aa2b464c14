import Alerts
import ArgumentParser
import FleetMessages
import Glibc
import ProgramSettings
import Instants
import MachineFiles
import PostgreSQL
import RabbitMQ

struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The connection string of the database, as libpq reads it, such as \"host=db.example dbname=fleet sslmode=verify-full\". "
        + "Defaults to the setting BEACONMON_HUB_DATABASE.", valueName: "conninfo"))
  var database: String?

  func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(try parameters()) }

  /// Connects for migrations, which may rewrite tables with billions of rows.
  func connectPatiently() throws -> PostgreSQLConnection { try PostgreSQLConnection(try parameters(), limit: .seconds(24 * 3600)) }

  /// Returns the connection string.
  func parameters() throws -> String {
    guard let database = try database ?? setting(.database) else { throw missing("the database", .database, "--database") }
    return database
  }
}

struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The nodes of the broker, such as amqps://broker1.example,amqps://broker2.example:5671. Defaults to BEACONMON_HUB_BROKER.",
      valueName: "url,…"))
  var broker: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the files ca.crt, hub.crt and hub.key. Defaults to BEACONMON_HUB_CERTIFICATES, or /etc/beaconmon-hub.",
      valueName: "folder"))
  var certificates: String?

  /// Returns whether nodes are named.
  func areGiven() throws -> Bool { try (broker ?? setting(.broker)) != nil }

  /// Returns the nodes, at least one, and the files to log in with.
  func endpoints() throws -> (nodes: [BrokerAddress], credentials: BrokerCredentials) {
    guard let text = try broker ?? setting(.broker) else { throw missing("the broker", .broker, "--broker") }
    let folder = try certificates ?? setting(.certificates) ?? "/etc/beaconmon-hub"
    let nodes = try text.split(separator: ",", omittingEmptySubsequences: false).map { url in
      guard let address = BrokerAddress(url) else {
        throw ValidationError("\"\(url)\" is not a node of a broker; write amqps://HOST or amqps://HOST:PORT")
      }
      return address
    }
    for name in ["ca.crt", "hub.crt", "hub.key"] {
      try LocalFiles.requireReadable("\(folder)/\(name)", or: "\"beaconmon-hub admin issue\" makes it")
    }
    let password = try brokerPassword()
    return (
      nodes,
      BrokerCredentials(authority: "\(folder)/ca.crt", certificate: "\(folder)/hub.crt", key: "\(folder)/hub.key", password: password)
    )
  }
}

extension FleetAddress {
  /// Parses the name of a device as an administrator writes it.
  init(argument: String) throws {
    guard let address = FleetAddress(commonName: argument) else {
      throw ValidationError(
        "\"\(argument)\" is not a device; write SITE.DEVICE, such as berlin.door; each name has 1 to 32 characters of a-z, 0-9 and \"-\", "
          + "and does not begin with a hyphen")
    }
    self = address
  }
}
