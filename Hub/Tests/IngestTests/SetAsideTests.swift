import FleetMessages
import Ingest
import Streams
import Testing

@Suite struct SetAsideTests {
  private let bench = Bench()

  private static let poison = #"{"event":"poison"}"#

  /// Refuses each batch that would store the event with this text.
  private func refusesPoison(_ batch: Batch) throws {
    if batch.events.contains(where: { $0.json == Self.poison }) { throw RejectedData("no such value") }
  }

  @Test(
    "events that the database would refuse cost no transaction, and are set aside once", arguments: ["\u{0}", "{", #"{"event":"\u0000"}"#])
  func invalid(text: String) throws {
    for sequence: Int64 in 1...100 { bench.send(Bench.event(sequence, text)) }
    bench.send(Bench.event(101))
    try bench.settle()
    #expect(bench.store.batches.flatMap { $0.events.map(\.row.sequence) } == [101])
    #expect(bench.store.refused(.rejected) == 100 && bench.store.setAside.count == 100)
    #expect(bench.store.batches.filter { !$0.streams.isEmpty }.count == 1)
    bench.send(Bench.event(1, text))
    try bench.settle()
    #expect(bench.store.refused(.copy) == 1 && bench.store.setAside.count == 100)
  }

  @Test("a message that the database refuses is set aside, and the others of its batch are stored once, in the same session")
  func poison() throws {
    bench.store.refuses = refusesPoison
    for sequence: Int64 in 1...20 { bench.send(Bench.digest(sequence)) }
    bench.send(Bench.event(1, Self.poison))
    for sequence: Int64 in 2...3 { bench.send(Bench.event(sequence)) }
    try bench.settle()
    #expect(bench.store.digests.map(\.sequence) == Array(1...20))
    #expect(bench.store.batches.flatMap { $0.events.map(\.row.sequence) } == [2, 3])
    #expect(bench.store.refused(.rejected) == 1 && bench.store.states.values.map(\.sightings) == [20])
    let row = try #require(bench.store.setAside.first)
    #expect(row.refusal.device == 7 && row.detail == "no such value" && row.sequence == 1 && row.octets == Array(Self.poison.utf8))
    #expect(bench.source.calls.filter { $0.hasPrefix("acknowledge") } == ["acknowledge \(Bench.queue) 23"])
    // The number counts as arrived, so that the message is a copy from now on.
    bench.send(Bench.event(1, Self.poison))
    try bench.settle()
    #expect(bench.store.refused(.copy) == 1 && bench.store.setAside.count == 1)
    #expect(bench.store.records.first { $0.key.stream == .events }?.value.missing == 0)
  }

  @Test("a message that cannot even be set aside is counted")
  func unwritable() throws {
    bench.store.refuses = {
      try refusesPoison($0)
      if !$0.setAside.isEmpty { throw RejectedData("no value is good enough") }
    }
    for message in [Bench.event(1, Self.poison), Bench.event(2)] { bench.send(message) }
    try bench.settle()
    #expect(bench.store.refused(.rejected) == 1 && bench.store.setAside.isEmpty)
    #expect(bench.source.calls.last == "acknowledge \(Bench.queue) 2")
  }

  @Test("a database that refuses everything ends the session, and nothing is acknowledged")
  func refusesAll() throws {
    bench.store.refuses = { _ in throw RejectedData("always") }
    bench.send(Bench.event(1))
    #expect(throws: RejectedData.self) { try bench.settle() }
    #expect(!bench.source.calls.contains { $0.hasPrefix("acknowledge") })
  }

  @Test("events of unknown and revoked devices and undecodable octets are set aside up to a size, and digests are counted alone")
  func strangers() throws {
    let stranger = try #require(FleetAddress(site: "berlin", device: "other")).routingKey
    for body in [Bench.event(1, String(repeating: "x", count: 5000)), Bench.digest(1)] {
      bench.source.add(body, key: stranger, queue: Bench.queue)
    }
    bench.send([0xFF])
    bench.store.enrolled[Bench.address]?.isRevoked = true
    try bench.settle()
    #expect(bench.store.refused(.unknown) == 2 && bench.store.refused(.revoked) == 1)
    let rows = bench.store.setAside
    #expect(rows.map(\.topic) == [stranger, Bench.address.routingKey] && rows.map(\.size) == [5000, 1])
    #expect(rows.map(\.octets.count) == [SetAsideRow.mostOctets, 0] && rows.map(\.sequence) == [1, nil])
  }

  @Test("an event of a newer version is set aside with its octets, and a digest of it without them")
  func newerVersion() throws {
    var (event, digest) = (Bench.event(1), Bench.digest(1))
    (event[1], digest[1]) = (2, 2)
    for message in [event, digest, [0x80]] { bench.send(message) }
    try bench.settle()
    #expect(bench.store.refused(.version) == 2 && bench.store.refused(.undecodable) == 1)
    #expect(bench.store.setAside.map(\.octets) == [event, [], []])
    #expect(bench.store.setAside[0].detail == "the message has version 2, and this program knows version 1")
    #expect(Refusal.Reason.version.remedy("it has version 2")?.contains("(it has version 2); update the hub first") == true)
  }

  @Test("reports of two devices with one identity are noted as a clone")
  func clonedReports() throws {
    for (sequence, journal) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] {
      let message = FleetMessage(
        journal: StreamJournal(high: 0, low: UInt64(journal)), sequence: Int64(sequence), floor: Int64(sequence), time: 1_700_000_000_000,
        body: .report(DeviceReport(version: "1")))
      bench.send(message.octets)
    }
    try bench.settle()
    #expect(bench.store.batches.last?.devices[7]?.numbering.returns == 3)
  }

  @Test("the store compares a repeated event")
  func repeated() throws {
    for message in [Bench.event(1), Bench.event(1, "{}"), Bench.digest(1), Bench.digest(1)] { bench.send(message) }
    try bench.settle()
    #expect(bench.store.batches.flatMap(\.repeatedEvents).map(\.json) == ["{}"])
    #expect(bench.store.refused(.copy) == 2 && bench.store.setAside.isEmpty)
  }
}
