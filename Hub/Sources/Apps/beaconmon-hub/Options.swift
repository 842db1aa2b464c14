import ArgumentParser
import FleetMessages
import Glibc
import PostgreSQL
import RabbitMQ

struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The connection string of the database, as libpq reads it, such as \"host=db.example dbname=fleet sslmode=verify-full\". "
        + "Defaults to the variable BEACONMON_HUB_DATABASE.", valueName: "conninfo"))
  var database: String?

  func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(try parameters()) }

  /// Connects for migrations, which may rewrite tables with billions of rows.
  func connectPatiently() throws -> PostgreSQLConnection { try PostgreSQLConnection(try parameters(), limit: 24 * 3_600_000) }

  /// Returns the connection string.
  func parameters() throws -> String {
    guard let database = database ?? variable("BEACONMON_HUB_DATABASE") else {
      throw ValidationError("the database is missing; use --database or the variable BEACONMON_HUB_DATABASE")
    }
    return database
  }
}

struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The nodes of the broker, such as amqps://broker1.example,amqps://broker2.example:5671. Defaults to BEACONMON_HUB_BROKER.",
      valueName: "url,…"))
  var broker: String?

  @Option(help: "The folder with the files ca.crt, hub.crt and hub.key. Defaults to BEACONMON_HUB_CERTIFICATES.")
  var certificates: String?

  var isGiven: Bool { (broker ?? variable("BEACONMON_HUB_BROKER")) != nil }

  /// Returns the nodes, at least one, and the files to log in with.
  func endpoints() throws -> (nodes: [BrokerAddress], credentials: BrokerCredentials) {
    guard let text = broker ?? variable("BEACONMON_HUB_BROKER") else {
      throw ValidationError("the broker is missing; use --broker or the variable BEACONMON_HUB_BROKER")
    }
    guard let folder = certificates ?? variable("BEACONMON_HUB_CERTIFICATES") else {
      throw ValidationError("the folder of certificates is missing; use --certificates or the variable BEACONMON_HUB_CERTIFICATES")
    }
    let nodes = try text.split(separator: ",", omittingEmptySubsequences: false).map { url in
      guard let address = BrokerAddress(url) else {
        throw ValidationError("\"\(url)\" is not a node of a broker; write amqps://HOST or amqps://HOST:PORT")
      }
      return address
    }
    for name in ["ca.crt", "hub.crt", "hub.key"] where access("\(folder)/\(name)", R_OK) != 0 {
      throw ValidationError(
        "\(folder)/\(name) cannot be read: \(String(cString: strerror(errno))); \"beaconmon-hub admin issue\" makes it")
    }
    return (nodes, BrokerCredentials(authority: "\(folder)/ca.crt", certificate: "\(folder)/hub.crt", key: "\(folder)/hub.key"))
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

/// Returns the value of an environment variable; nil if it is not set or empty.
func variable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
