import ArgumentParser
import FleetDatabase
import FleetStatus
import Instants
import Partitions
import RabbitMQ

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows devices, queues and refused messages.",
    discussion: """
      LAST is the time since the last message, and LAG the time by which it was late by the clock of the device. MISSING counts messages that the \
      device still has although later ones arrived, LOST those that will not arrive. Backlogs need --broker.

      Examples:
        beaconmon-hub status --database "host=db.example dbname=fleet"
        beaconmon-hub status --json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let connection = try database.connect()
    var status = try StatusDatabase(connection).status()
    if try brokers.areGiven() {
      let now = MachineClock.now
      status.certificates = try brokers.certificateEnds().map { FleetStatus.Certificate(path: $0.path, end: Int64(($0.end - now).seconds)) }
      do {
        let (nodes, credentials) = try brokers.endpoints()
        let backlogs = try QueueInspector(nodes[0], credentials).backlogs(of: try FleetSchema(connection).queues())
        for index in status.queues.indices where backlogs.indices.contains(index) { status.queues[index].backlog = backlogs[index] }
      } catch let error as BrokerError {
        // The database alone still answers most questions, above all when a broker is down.
        log("\(error); backlogs are unknown")
      }
    }
    print(json ? status.json : status.table, terminator: "")
  }
}
