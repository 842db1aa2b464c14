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

private struct Broker: StatusBroker {
  var backlogs: [Int]? = [3, 4]
  var shortage: String?
  var answersAlarm = true
  var ends: [Int64] = []

  func certificates() -> [FleetObservation.Certificate] {
    ends.map { FleetObservation.Certificate(machine: "hub1", path: "hub.crt", ends: Instant(microseconds: $0 * 1_000_000)) }
  }

  func backlogs(of map: QueueMap) throws(SilentServer) -> [Int] {
    guard let backlogs, map.queues == 2 else { throw SilentServer("broker b1: closed") }
    return backlogs
  }

  func alarm() throws(SilentServer) -> String? {
    guard answersAlarm else { throw SilentServer("broker b1: no answer") }
    return shortage
  }
}

@Suite struct StatusReaderTests {
  private static let full: UInt64 = 3_000_000

  /// Returns the status and the lines of the log.
  ///
  /// - Parameter free: the free octets of the folders of servers
  private func read(
    _ store: Result<Store, any Error> = .success(Store()), _ broker: Result<Broker, any Error>? = .success(Broker()),
    free: [String: UInt64] = [:]
  ) throws -> (status: FleetStatus, log: [String]) {
    var log: [String] = []
    let reader = StatusReader(
      StatusReader.Ports(
        connect: { try store.get() }, broker: { try broker?.get() }, freeSpace: { free[$0] },
        now: { Instant(microseconds: 1_000_000_000) }, report: { log.append($0) }))
    let status = try reader.status()
    return (status, log)
  }

  @Test("the status has the backlogs and the alarm of the broker, and the certificates of this machine")
  func whole() throws {
    let (status, log) = try read(.success(Store()), .success(Broker(shortage: "memory", ends: [1060, 940])))
    #expect(status.queues.map(\.backlog) == [3, 4] && log.isEmpty)
    #expect(status.outages.map(\.cause) == ["memory"] && status.outages.map(\.part) == [.broker])
    #expect(status.certificates == [60, -60].map { FleetStatus.Certificate(path: "hub.crt", end: $0) })
  }

  @Test("without a broker in the configuration, backlogs are unknown and nothing is reported")
  func noBroker() throws {
    let (status, log) = try read(.success(Store()), nil)
    #expect(status.queues.map(\.backlog) == [nil, nil] && status.certificates.isEmpty && log.isEmpty)
  }

  @Test("a full disk of the database is looked for only without a worker")
  func fullDatabase() throws {
    #expect(try read(.success(Store(isFull: true))).status.outages.map(\.part) == [.database])
    #expect(try read(.success(Store(worker: "host.1", isFull: true))).status.outages.isEmpty)
    #expect(try read(.success(Store(worker: "host.1", fails: ["disk"]))).status.queues.count == 2)
  }

  @Test("a broker that does not answer is reported, and the other parts are shown")
  func silentBroker() throws {
    let (status, log) = try read(.success(Store(isFull: true)), .success(Broker(backlogs: nil, shortage: "disk", ends: [1060])))
    #expect(status.queues.map(\.backlog) == [nil, nil] && status.certificates.count == 1)
    #expect(status.outages.map(\.part) == [.database], "an alarm that was not asked for is unknown")
    #expect(log == ["broker b1: closed; backlogs are unknown"])
  }

  @Test("a broker that does not answer because the disk of its folder is full has a remedy")
  func fullBroker() throws {
    let free = ["/var/lib/rabbitmq": Self.full, "/var/lib/postgresql": 1 << 40]
    let log = try read(.success(Store()), .success(Broker(backlogs: nil)), free: free).log
    #expect(log.count == 1 && log[0].hasPrefix("broker b1: closed; backlogs are unknown; its disk is full: /var/lib/rabbitmq has 3MB free"))
  }

  @Test("a broker that does not tell its alarm is reported, and its backlogs are shown")
  func silentAlarm() throws {
    let (status, log) = try read(.success(Store()), .success(Broker(answersAlarm: false)))
    #expect(status.queues.map(\.backlog) == [3, 4] && status.outages.isEmpty)
    #expect(log == ["broker b1: no answer; backlogs are unknown"])
  }

  @Test("a broker with fewer queues than the database leaves the backlogs of the others unknown")
  func fewerQueues() throws {
    #expect(try read(.success(Store()), .success(Broker(backlogs: [3]))).status.queues.map(\.backlog) == [3, nil])
    #expect(try read(.success(Store()), .success(Broker(backlogs: [3, 4, 5]))).status.queues.map(\.backlog) == [3, 4])
  }

  @Test("without an answer of the database there is no status, and the error names a full disk")
  func silentDatabase() {
    func text(_ error: SilentServer, free: [String: UInt64] = [:]) -> String? {
      do {
        _ = try read(.failure(error), .success(Broker(backlogs: nil, answersAlarm: false)), free: free)
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
