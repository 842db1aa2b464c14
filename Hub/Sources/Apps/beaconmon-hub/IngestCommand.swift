import ArgumentParser
import FleetDatabase
import Glibc
import Ingest
import RabbitMQ

struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest",
    abstract: "Stores the messages of the fleet's queues in the database.",
    discussion: """
      Any number of workers on any number of machines share the queues. SIGTERM ends a worker after the batch that it writes.

      Example:
        beaconmon-hub ingest --database "host=db.example dbname=fleet" --broker amqps://broker1.example --certificates /etc/beaconmon-hub
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions

  func run() throws {
    let (nodes, credentials) = try brokers.endpoints()
    let name = "\(MachineClock.hostName).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    TerminationSignals.block()
    try RetentionThread.start(try database.parameters())
    try RolloutThread.start(try database.parameters())
    var node = Int.random(in: nodes.indices)
    var registered: IngestDatabase?
    let worker = IngestWorker(name: name, clock: MachineClock()) {
      let connection = try database.connect()
      let store = try IngestDatabase(connection)
      let map = try FleetSchema(connection).queues()
      node += 1
      let source = try QueueReader(nodes[node % nodes.count], credentials, map: map)
      log("\(name) reads from \(nodes[node % nodes.count])")
      registered = store
      return IngestWorker.Links(store: store, source: source, publisher: MessageSender(nodes[node % nodes.count], credentials), map: map)
    } report: {
      log($0)
    }
    worker.run {
      // The system ends a worker that hangs in a library in spite of all limits, and its supervisor starts another.
      alarm(60)
      return TerminationSignals.arrived(within: 0)
    } pause: {
      registered = nil
      _ = TerminationSignals.arrived(within: $0)
    }
    try? registered?.unregister(worker: name)
    log("stopped")
  }
}

/// Prints a line of the log.
func log(_ line: String) {
  let octets = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, octets, octets.count)
}
