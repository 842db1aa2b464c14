import Beacons
import FleetMessages
import Ingest
import Instants
import Rooms
import Testing

/// The corrections of surveys by beacons outlast the worker.
@Suite struct CorrectionTests {
  private let bench = Bench()
  private let lines = LogLines()

  /// A survey by which the door hears tags in the hall at -60 dBm.
  private static let survey: RoomSurvey = {
    let samples = (3...90).map { RoomSurvey.Sample(time: UInt16($0 * 10), level: -50) }
    return RoomSurvey(room: "hall", seconds: 100, listeners: [RoomSurvey.Listener(device: 7, room: "hall", samples: samples)])
  }()

  private final class LogLines {
    var all: [String] = []
  }

  init() {
    bench.store.placed = [SiteDevice(id: 7, room: "hall", floor: nil)]
    bench.store.surveys = [LoadedSurvey(key: 5, room: "hall", content: .success(Self.survey))]
  }

  /// Lets the door hear its tag at -60 dBm once a second.
  private func hear(_ numbers: ClosedRange<Int64>, _ session: IngestSession? = nil) throws {
    for sequence in numbers {
      bench.clock.uptime += .seconds(1)
      // Another tag every minute, because a stay teaches little.
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime, minor: UInt16(sequence / 60)))
      try bench.settle(session)
    }
  }

  private func session() -> IngestSession { Bench.session(bench.store, bench.source, bench.clock) { lines.all.append($0) } }

  /// The samples of all places in stored corrections.
  private var samples: Int { bench.store.surveys[0].corrections.map { $0[1...8].reduce(0) { $0 + Int($1) } } ?? 0 }

  @Test("a worker that takes a queue over continues with the corrections of the one before, which wrote them at its end")
  func takeover() throws {
    bench.store.mostBeacons = 1000
    let first = session()
    try hear(1...2200, first)
    let written = bench.store.batches.count { !$0.corrections.isEmpty }
    #expect(samples > 0 && (1...8).contains(written), "\(samples) samples in \(written) writes for \(Int(bench.clock.seconds)) s")
    let before = samples
    try hear(2201...2260, first)
    try first.finish()
    #expect(samples > before && bench.store.batches.last?.digests.isEmpty == true)
    let end = samples
    let second = session()
    try hear(2261...2500, second)
    try second.finish()
    #expect(samples > end && bench.store.surveyQueries == 2)
    #expect(lines.all.allSatisfy { $0.hasPrefix("owns queue") || $0.hasPrefix("yields queue") }, "\(lines.all)")
  }

  @Test("a worker that yields a queue to another one stores the corrections first, and takes those of the other later")
  func yielding() throws {
    bench.store.mostBeacons = 1000
    let first = session()
    try hear(1...2200, first)
    let before = samples
    try hear(2201...2260, first)
    bench.store.batches = []
    for name in ["a", "c", "d", "e", "f", "g", "h"] where first.ownedQueues.contains(Bench.queue) {
      bench.store.workers = [name]
      for _ in 0..<40 { try first.step() }
    }
    #expect(!first.ownedQueues.contains(Bench.queue) && samples > before)
    let yielded = try #require(bench.store.surveys[0].corrections)
    // Another worker has the queue meanwhile, and learns from more samples.
    _ = bench.store.acquire(queue: Bench.queue, worker: "a")
    bench.store.surveys[0].corrections = [yielded[0]] + Array(repeating: 25, count: 8) + yielded.dropFirst(9)
    bench.store.workers = []
    for _ in 0..<100 { try first.step() }
    #expect(first.ownedQueues.contains(Bench.queue))
    try hear(2261...2320, first)
    try first.finish()
    #expect((201...240).contains(samples), "\(samples)")
  }

  @Test("stored values that are damaged are refused with a message once, and are learned again")
  func damage() throws {
    bench.store.mostBeacons = 1000
    bench.store.surveys[0].corrections = [1, 255]
    bench.store.offsets[3] = [1, 0]
    let first = session()
    try hear(1...3, first)
    #expect(
      lines.all.filter { $0.hasPrefix("site 3: ") } == [
        "site 3: the learned levels: the state has 2 octets, which its contents contradict; delete it, and the filter starts empty",
        "site 3: the corrections of hall: octet 1 of the state: the value is beyond its limits; delete it, and the filter starts empty",
      ], "\(lines.all)")
    try hear(4...2400, first)
    #expect(lines.all.count { $0.hasPrefix("site 3: ") } == 2 && samples > 20)
  }

  @Test("a survey that cannot be read is reported, and learned levels decide")
  func unreadable() throws {
    bench.store.surveys = [LoadedSurvey(key: 5, room: "hall", content: .failure(.unknownVersion(9)), corrections: [1])]
    let first = session()
    try hear(1...20, first)
    #expect(lines.all.filter { $0.hasPrefix("site 3: ") }.count == 1 && bench.store.batches.flatMap(\.roomChanges).map(\.to) == ["hall"])
  }

  @Test("surveys are read once, not with every change of the enrolments, until one is stored again")
  func reading() throws {
    let first = session()
    try hear(1...3, first)
    bench.store.revision += 1
    try hear(4...6, first)
    #expect(bench.store.surveyQueries == 1)
    bench.store.surveys[0].key = 6
    bench.store.revision += 1
    try hear(7...9, first)
    #expect(bench.store.surveyQueries == 2)
  }
}
