import ArgumentParser
import EventLoop
import FleetDatabase
import FleetStatus
import Instants
import Partitions
import PostgreSQL
import RabbitMQ

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show devices, queues and refused messages.",
    discussion: """
      LAST is the time since the last message, and LAG the time by which it was late by the clock of the device. MISSING counts messages that the \
      device still has although later ones arrived, LOST those that will not arrive. The last lines name a full disk of the database or of the \
      broker. Backlogs and the disk of the broker need --broker.

      Examples:
        beaconmon-hub status --database "host=db.example dbname=fleet"
        beaconmon-hub status --json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let connection: PostgreSQLConnection
    do { connection = try database.connect() } catch let error as PostgreSQLError {
      let remedy = error.isOfFullDisk ? "; \(FleetStatus.Outage.fullDatabase.text)" : Self.remedy("/var/lib/postgresql")
      throw SilentServer(description: "\(error)\(remedy)")
    }
    let statusDatabase = try StatusDatabase(connection)
    var status = try statusDatabase.status()
    if !status.hasWorker, try statusDatabase.hasFullDisk() { status.observe(.database, cause: "disk") }
    if try brokers.areGiven() {
      let now = MachineClock.now
      status.certificates = try brokers.certificateEnds().map { FleetStatus.Certificate(path: $0.path, end: Int64(($0.end - now).seconds)) }
      do {
        let (nodes, credentials) = try brokers.endpoints()
        let backlogs = try QueueInspector(nodes[0], credentials).backlogs(of: try FleetSchema(connection).queues())
        for index in status.queues.indices where backlogs.indices.contains(index) { status.queues[index].backlog = backlogs[index] }
        status.observe(.broker, cause: try AlarmProbe(nodes[0], credentials).ask())
      } catch let error as BrokerError {
        // The database alone still answers most questions, above all when a broker is down.
        log("\(error); backlogs are unknown\(Self.remedy("/var/lib/rabbitmq"))")
      }
    }
    print(json ? status.json : status.table, terminator: "")
  }

  /// Returns what to do about a full disk of a server's folder on this machine; empty if it is not full.
  private static func remedy(_ folder: String) -> String {
    ServerFolder(folder, free: (try? FileSystemSpace(of: folder))?.freeOctets).remedy.map { "; \($0)" } ?? ""
  }
}

/// The error of a server that does not answer, with the remedy.
private struct SilentServer: Error, CustomStringConvertible {
  var description: String
}
