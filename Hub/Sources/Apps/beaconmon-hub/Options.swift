import ArgumentParser
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
      throw ValidationError("no database; use --database or the variable BEACONMON_HUB_DATABASE")
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
      throw ValidationError("no broker; use --broker or the variable BEACONMON_HUB_BROKER")
    }
    guard let folder = certificates ?? variable("BEACONMON_HUB_CERTIFICATES") else {
      throw ValidationError("no certificates; use --certificates or the variable BEACONMON_HUB_CERTIFICATES")
    }
    let nodes = try text.split(separator: ",", omittingEmptySubsequences: false).map { url in
      guard let address = BrokerAddress(url) else {
        throw ValidationError("\"\(url)\" is no node of a broker; use amqps://HOST or amqps://HOST:PORT")
      }
      return address
    }
    for name in ["ca.crt", "hub.crt", "hub.key"] where access("\(folder)/\(name)", R_OK) != 0 {
      throw ValidationError("\(folder)/\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    return (nodes, BrokerCredentials(authority: "\(folder)/ca.crt", certificate: "\(folder)/hub.crt", key: "\(folder)/hub.key"))
  }
}

/// Returns the value of an environment variable; nil if it is not set or empty.
func variable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
