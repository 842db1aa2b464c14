import Alerts
import FleetStatus
import Instants
import Partitions
import StatusReading
import Testing

private struct Fault: Error {}

/// A database with two queues, of which no worker owns one.
private struct Store: StatusStore {
  var worker: String?
  var isFull = false
  var fails: Set<String> = []

  func status() throws -> FleetStatus {
    if fails.contains("status") { throw Fault() }
    let queues = (0..<2).map { FleetStatus.Queue(number: $0, worker: worker, isOwned: worker != nil, backlog: nil) }
    return FleetStatus(devices: [], queues: queues, unattributed: [:], databaseSize: 1)
  }

  func hasFullDisk() throws -> Bool {
    if fails.contains("disk") { throw Fault() }
    return isFull
  }

  func queues() throws -> QueueMap {
    guard !fails.contains("queues"), let map = QueueMap(queues: 2) else { throw Fault() }
    return map
  }
}

/// A node of the broker, which counts the questions that it gets.
private final class Node: StatusNode {
  private let backlogs: [Int]?
  private let shortage: String?
  private let answersAlarm: Bool
  private let error: SilentServer
  private(set) var questions = 0

  init(_ name: String = "b1", backlogs: [Int]? = [3, 4], shortage: String? = nil, answersAlarm: Bool = true) {
    (self.backlogs, self.shortage, self.answersAlarm) = (backlogs, shortage, answersAlarm)
    error = SilentServer("broker \(name): closed")
  }

  func backlogs(of map: QueueMap) throws(SilentServer) -> [Int] {
    questions += 1
    guard let backlogs, map.queues == 2 else { throw error }
    return backlogs
  }

  func alarm() throws(SilentServer) -> String? {
    questions += 1
    guard answersAlarm else { throw error }
    return shortage
  }
}

@Suite struct StatusReaderTests {
  private static let full: UInt64 = 3_000_000

  /// Returns the status and the lines of the log.
  ///
  /// - Parameters:
  ///   - ends: the ends of the certificates of this machine, in seconds
  ///   - free: the free octets of the folders of servers
  private func read(
    _ store: Result<Store, any Error> = .success(Store()), _ nodes: Result<[Node], any Error> = .success([Node()]), ends: [Int64] = [],
    free: [String: UInt64] = [:]
  ) throws -> (status: FleetStatus, log: [String]) {
    var log: [String] = []
    let reader = StatusReader(
      StatusReader.Ports(
        connect: { try store.get() }, nodes: { try nodes.get() },
        certificates: {
          ends.map { FleetObservation.Certificate(machine: "hub1", path: "hub.crt", ends: Instant(microseconds: $0 * 1_000_000)) }
        }, freeSpace: { free[$0] }, now: { Instant(microseconds: 1_000_000_000) }, report: { log.append($0) }))
    let status = try reader.status()
    return (status, log)
  }

  @Test("the status has the backlogs and the alarm of the broker, and the certificates of this machine")
  func whole() throws {
    let (status, log) = try read(.success(Store()), .success([Node(shortage: "memory")]), ends: [1060, 940])
    #expect(status.queues.map(\.backlog) == [3, 4] && log.isEmpty)
    #expect(status.outages.map(\.cause) == ["memory"] && status.outages.map(\.part) == [.broker])
    #expect(status.certificates == [60, -60].map { FleetStatus.Certificate(path: "hub.crt", end: $0) })
  }

  @Test("without a broker in the configuration, backlogs are unknown and nothing is reported")
  func noBroker() throws {
    let (status, log) = try read(.success(Store()), .success([]))
    #expect(status.queues.map(\.backlog) == [nil, nil] && status.certificates.isEmpty && log.isEmpty)
  }

  @Test("a node that is down is named, and the next one answers", arguments: ["disk", nil])
  func nodeDown(shortage: String?) throws {
    let nodes = [Node(backlogs: nil), Node("b2", backlogs: nil), Node("b3", backlogs: [5, 6], shortage: shortage), Node("b4")]
    let (status, log) = try read(.success(Store()), .success(nodes))
    #expect(status.queues.map(\.backlog) == [5, 6] && status.outages.map(\.cause) == [shortage].compactMap { $0 })
    #expect(log == ["broker b1: closed; broker b2: closed; another node answers"])
    #expect(nodes.map(\.questions) == [1, 1, 2, 0], "the node that answers gets the second question too")
  }

  @Test("each call asks the first node of the setting first")
  func order() throws {
    let nodes = [Node(), Node("b2"), Node("b3")]
    for _ in 0..<8 { #expect(try read(.success(Store()), .success(nodes)).log.isEmpty) }
    #expect(nodes.map(\.questions) == [16, 0, 0])
  }

  @Test("another node tells the alarm if the one that told the backlogs fails")
  func alarmOfNextNode() throws {
    let nodes = [Node(answersAlarm: false), Node("b2", shortage: "disk")]
    let (status, log) = try read(.success(Store()), .success(nodes))
    #expect(status.queues.map(\.backlog) == [3, 4] && status.outages.map(\.cause) == ["disk"])
    #expect(log == ["broker b1: closed; another node answers"])
  }

  @Test("a node with the same error for both questions is named once")
  func repeatedError() throws {
    let nodes = [Node(backlogs: nil, answersAlarm: false), Node("b2", answersAlarm: false)]
    let log = try read(.success(Store()), .success(nodes)).log
    #expect(log == ["broker b1: closed; broker b2: closed; whether the broker takes messages is unknown"])
  }

  @Test("without an answer of any node, each is named, and none is asked for the alarm")
  func allDown() throws {
    let nodes = [Node(backlogs: nil), Node("b2", backlogs: nil)]
    let (status, log) = try read(.success(Store()), .success(nodes))
    #expect(status.queues.map(\.backlog) == [nil, nil] && nodes.map(\.questions) == [1, 1])
    #expect(log == ["broker b1: closed; broker b2: closed; backlogs are unknown"])
  }

  @Test("a full disk of the database is looked for only without a worker")
  func fullDatabase() throws {
    #expect(try read(.success(Store(isFull: true))).status.outages.map(\.part) == [.database])
    #expect(try read(.success(Store(worker: "host.1", isFull: true))).status.outages.isEmpty)
    #expect(try read(.success(Store(worker: "host.1", fails: ["disk"]))).status.queues.count == 2)
  }

  @Test("a broker that does not answer is reported, and the other parts are shown")
  func silentBroker() throws {
    let (status, log) = try read(.success(Store(isFull: true)), .success([Node(backlogs: nil, shortage: "disk")]), ends: [1060])
    #expect(status.queues.map(\.backlog) == [nil, nil] && status.certificates.count == 1)
    #expect(status.outages.map(\.part) == [.database], "an alarm that was not asked for is unknown")
    #expect(log == ["broker b1: closed; backlogs are unknown"])
  }

  @Test("a broker that does not answer because the disk of its folder is full has a remedy")
  func fullBroker() throws {
    let free = ["/var/lib/rabbitmq": Self.full, "/var/lib/postgresql": 1 << 40]
    let log = try read(.success(Store()), .success([Node(backlogs: nil)]), free: free).log
    #expect(log.count == 1 && log[0].hasPrefix("broker b1: closed; backlogs are unknown; its disk is full: /var/lib/rabbitmq has 3MB free"))
  }

  @Test("a broker that does not tell its alarm is reported, and its backlogs are shown")
  func silentAlarm() throws {
    let (status, log) = try read(.success(Store()), .success([Node(answersAlarm: false)]))
    #expect(status.queues.map(\.backlog) == [3, 4] && status.outages.isEmpty)
    #expect(log == ["broker b1: closed; whether the broker takes messages is unknown"])
  }

  @Test("a broker with fewer queues than the database leaves the backlogs of the others unknown")
  func fewerQueues() throws {
    #expect(try read(.success(Store()), .success([Node(backlogs: [3])])).status.queues.map(\.backlog) == [3, nil])
    #expect(try read(.success(Store()), .success([Node(backlogs: [3, 4, 5])])).status.queues.map(\.backlog) == [3, 4])
  }

  @Test("without an answer of the database there is no status, and the error names a full disk")
  func silentDatabase() {
    func text(_ error: SilentServer, free: [String: UInt64] = [:]) -> String? {
      do {
        _ = try read(.failure(error), .success([Node(backlogs: nil, answersAlarm: false)]), free: free)
        return nil
      } catch { return "\(error)" }
    }
    #expect(text(SilentServer("database: no route")) == "database: no route")
    #expect(
      text(SilentServer("database: no route"), free: ["/var/lib/postgresql": Self.full])
        == "database: no route; its disk is full: /var/lib/postgresql has 3MB free; free space there, and start the server again")
    let full = text(SilentServer("database: no space", isOfFullDisk: true))
    #expect(full?.hasPrefix("database: no space; the disk of the database is full: nothing is stored") == true)
  }

  @Test("an error of the database's schema or of the configuration ends the command as it is", arguments: ["status", "disk", "queues"])
  func errors(part: String) {
    #expect(throws: Fault.self) { try read(.success(Store(fails: [part]))) }
    #expect(throws: Fault.self) { try read(.failure(Fault())) }
    #expect(throws: Fault.self) { try read(.success(Store()), .failure(Fault())) }
  }
}
