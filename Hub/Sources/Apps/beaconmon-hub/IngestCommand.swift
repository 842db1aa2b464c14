import ArgumentParser
import BrokerDefinitions
import EventLoop
import FleetDatabase
import Glibc
import Ingest
import Instants
import Logging
import PostgreSQL
import RabbitMQ
import RetentionJobs
import RolloutJobs

struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest",
    abstract: "Store the messages of the fleet's queues in the database.",
    discussion: """
      Any number of workers on any number of machines share the queues. SIGTERM ends a worker after the batch that it writes.

      Example:
        beaconmon-hub ingest --database "host=db.example dbname=fleet" --broker amqps://broker1.example --certificates /etc/beaconmon-hub
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions

  func run() throws {
    let parameters = try database.parameters()
    let (nodes, credentials) = try brokers.endpoints()
    let name = "\(DeviceIdentity.hostName).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    // The signals are blocked before a thread starts.
    let signals = try TerminationSignals()
    try RetentionThread.start(parameters)
    try RolloutThread.start(parameters)
    try AlarmThread.start(parameters, nodes, credentials)
    // A worker is ready without its servers, which may start later and stop at any time.
    ServiceManager.reportReady("Connecting")
    var rotation = NodeRotation()
    var registered: IngestDatabase?
    let outages = OutageDatabase { try database.connect() }
    let worker = IngestWorker(name: name, clock: MachineClock(), outages: outages) {
      let connection = try database.connect()
      let store = try IngestDatabase(connection)
      let map = try FleetSchema(connection).queues()
      let node = rotation.current(of: nodes)
      // A session that is not stopped ends with an error, so that the next one takes the next node.
      rotation.advance()
      let source = try QueueReader(node, credentials, map: map, clock: MachineClock())
      Logger.hub.notice("\(name) reads from \(node)")
      registered = store
      return IngestWorker.Links(store: store, source: source, publisher: MessageSender(node, credentials), map: map)
    } report: {
      Logger.hub.notice("\($0)")
      ServiceManager.reportReady($0)
    }
    worker.run {
      // The kernel ends a worker that hangs in a library despite all time limits; its supervisor then starts another.
      alarm(60)
      return signals.arrived(within: .zero)
    } pause: {
      registered = nil
      _ = signals.arrived(within: $0)
    }
    try? registered?.unregister(worker: name)
    Logger.hub.notice("stopped")
  }
}

/// The thread of a worker that removes expired data. It ends with the process.
private enum RetentionThread {
  /// - Parameter parameters: a connection string of libpq
  static func start(_ parameters: String) throws {
    try LoopThread.start(named: "beaconmon-keep") {
      let job = RetentionJob {
        try RetentionDatabase(try PostgreSQLConnection(parameters, limit: RetentionDatabase.limit))
      } wallTime: {
        WallClock.now
      } report: {
        Logger.hub.notice("\($0)")
      }
      job.run(until: { false }, pause: MachineClock.pause)
    }
  }
}

/// The thread of a worker that advances rollouts. It ends with the process.
private enum RolloutThread {
  /// - Parameter parameters: a connection string of libpq
  static func start(_ parameters: String) throws {
    try LoopThread.start(named: "beaconmon-roll") {
      let job = RolloutJob {
        try RolloutDatabase(try PostgreSQLConnection(parameters))
      } report: {
        Logger.hub.notice("\($0)")
      }
      job.run(until: { false }, pause: MachineClock.pause)
    }
  }
}

/// The thread of a worker that asks the broker whether it takes messages. It ends with the process.
private enum AlarmThread {
  /// - Parameter parameters: a connection string of libpq
  static func start(_ parameters: String, _ nodes: [BrokerAddress], _ credentials: BrokerCredentials) throws {
    try LoopThread.start(named: "beaconmon-alarm") {
      let probes = nodes.map { AlarmProbe($0, credentials) }
      var rotation = NodeRotation()
      let outages = OutageDatabase { try PostgreSQLConnection(parameters) }
      let watch = AlarmWatch(clock: MachineClock(), outages) {
        try rotation.ask(probes) { try $0.ask() }
      } report: {
        Logger.hub.notice("\($0)")
      }
      watch.run(until: { false }, pause: MachineClock.pause)
    }
  }
}

/// The signals that end a worker: SIGTERM and SIGINT.
private final class TerminationSignals {
  private let loop: Loop
  private var sources: [SignalSource] = []
  private var timer: Timer?
  private var hasArrived = false

  /// Keeps the signals, and SIGPIPE of a broken connection, from ending the program.
  init() throws(SystemCallError) {
    loop = try Loop()
    timer = loop.timer { [unowned loop] in loop.stop() }
    for number in [SIGTERM, SIGINT] {
      sources.append(
        try loop.signal(number) { [unowned self] in
          hasArrived = true
          loop.stop()
        })
    }
  }

  /// Returns whether a signal has arrived, after waiting for at most this time.
  ///
  /// A loop that cannot wait ends the worker as well; its supervisor then starts another.
  func arrived(within time: Span) -> Bool {
    if hasArrived { return true }
    timer?.arm(after: time)
    return (try? loop.run()) == nil || hasArrived
  }
}
