import Instants
import Partitions

/// Runs sessions one after the other until it is stopped.
public struct IngestWorker {
  /// The links of a session, and the queues of the fleet.
  public struct Links {
    public var store: any FleetStore
    public var source: any QueueMessageSource
    public var publisher: any MessagePublisher
    public var map: QueueMap

    public init(store: any FleetStore, source: any QueueMessageSource, publisher: any MessagePublisher, map: QueueMap) {
      (self.store, self.source, self.publisher, self.map) = (store, source, publisher, map)
    }
  }

  /// The interval of the log lines with counts.
  private static let reportInterval = Span.seconds(10)
  /// The interval of the checks whether the worker is stopped. A check takes two system calls.
  private static let questionInterval = Span.milliseconds(50)
  private static let shortestPause = Span.milliseconds(100)

  private let name: String
  private let clock: any IngestClock
  private let outages: any OutageLog
  private let connect: () throws -> Links
  private let report: (String) -> Void

  /// - Parameters:
  ///   - name: a name that no other process has or had
  ///   - outages: notes the time in which the disk of the database is full
  ///   - connect: opens both links; it is called for each session
  ///   - report: prints a line of the log
  public init(
    name: String, clock: any IngestClock, outages: any OutageLog, connect: @escaping () throws -> Links,
    report: @escaping (String) -> Void
  ) {
    (self.name, self.clock, self.outages, self.connect, self.report) = (name, clock, outages, connect, report)
  }

  /// Stores messages until `isStopped` returns true. The worker calls it at least five times a second while its links work.
  ///
  /// - Parameter pause: waits for this time, or until the worker is stopped
  public func run(until isStopped: () -> Bool, pause: (Span) -> Void) {
    // Many workers lose a broker at the same time.
    var backoff = Backoff(from: Self.shortestPause * 2, to: .seconds(2), jitter: .full)
    var random = SystemRandomNumberGenerator()
    var lastError = ""
    let disk = DiskWatch(clock: clock, outages)
    // Each subscription delivers messages again, and a broker may count that.
    var mustTestWrites = false
    while !isStopped() {
      do {
        let links = try connect()
        if mustTestWrites {
          try links.store.testWrite()
          if let time = try disk.end() { report("the database stores again; its disk was full for \(Int(time.seconds)) s") }
        }
        mustTestWrites = false
        let session = IngestSession(
          worker: name, map: links.map, store: links.store, source: links.source, publisher: links.publisher, clock: clock, report: report)
        defer { mustTestWrites = session.hasFailedToWrite }
        try run(session, until: isStopped) {
          backoff.reset()
          lastError = ""
        }
      } catch {
        // The registration of a worker and its partitions need space as well.
        if disk.note(error) { mustTestWrites = true }
        // A server that is down causes the same error repeatedly.
        if lastError != "\(error)" { report("\(error); starts over") }
        lastError = "\(error)"
        pause(backoff.next(atLeast: Self.shortestPause, using: &random))
      }
    }
  }

  private func run(_ session: IngestSession, until isStopped: () -> Bool, works: () -> Void) throws {
    var reported = clock.uptime
    var (batches, askAt) = (0, Instant(microseconds: .min))
    while true {
      if clock.uptime >= askAt {
        guard !isStopped() else { break }
        askAt = clock.uptime + Self.questionInterval
      }
      try session.step()
      if session.counts.batches != batches {
        batches = session.counts.batches
        works()
      }
      let now = clock.uptime
      guard now - reported >= Self.reportInterval else { continue }
      if session.counts.messages > 0 { report(Self.line(session.counts, queues: session.ownedQueues.count, during: now - reported)) }
      session.counts = IngestSession.Counts()
      (reported, batches) = (now, 0)
    }
    try session.finish()
  }

  private static func line(_ counts: IngestSession.Counts, queues: Int, during time: Span) -> String {
    let delays = counts.delays.sorted()
    let (median, high) = delays.isEmpty ? (0, 0) : (delays[delays.count / 2], delays[delays.count * 99 / 100])
    let rate = Int64(Double(counts.messages) / time.seconds)
    return "\(queues) queues, \(rate) messages/s, \(counts.sightings) sightings, \(counts.refused) refused, \(counts.batches) batches, "
      + "edge to row p50 \(median) p99 \(high) max \(delays.last ?? 0) ms"
  }
}
