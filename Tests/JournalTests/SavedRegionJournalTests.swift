import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Journal
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

@Suite struct SavedRegionJournalTests {
  private static let heartbeat = Heartbeat(time: .day(0), boot: "A", uptime: .seconds(5))

  private func region(_ identifier: String, _ state: RegionState = .inside) throws -> SavedRegion {
    let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
    var today = RegionHistory.Day()
    (today.longestGap, today.longestAbsence, today.silences, today.departures, today.strays) = (12_345, 99_000, 1, 2, 3)
    return SavedRegion(
      identifier: identifier, mark: .beacons(BeaconConstraint(uuid: uuid, major: 7)), state: state, remembered: .inside, since: .day(-1),
      lastSatisfied: BeaconEvidence(
        beacon: BeaconIdentity(uuid: uuid, major: 7, minor: 65_535), measuredPower: -59, proximity: .near, lastSeen: .day(-0.5),
        rssi: -63.5,
        samples: 212, distance: Distance(metres: 2.25), method: .bayesian),
      history: RegionHistory(today: today, yesterday: RegionHistory.Day(), dayEnd: .day(0.25)), dwellLeft: .seconds(1.5))
  }

  @Test func `a saved state is restored unchanged in the next process`() throws {
    let file = try JournalFile()
    let regions = [try region("entrance"), try region("hall \"é\"", .unknown)]
    do { file.open().save(regions, Self.heartbeat, at: .monotonic(0)) }
    let saved = try #require(file.open().savedRegions())
    #expect(saved.heartbeat == Self.heartbeat)
    #expect(saved.regions.map(\.identifier) == ["entrance", "hall \"é\""])
    for (one, other) in zip(saved.regions, regions) {
      #expect(one.mark == other.mark && one.state == other.state && one.remembered == other.remembered)
      #expect(one.since == other.since && one.history == other.history && one.dwellLeft == other.dwellLeft)
      let (a, b) = (try #require(one.lastSatisfied), try #require(other.lastSatisfied))
      #expect(a.beacon == b.beacon && a.measuredPower == b.measuredPower && a.proximity == b.proximity && a.lastSeen == b.lastSeen)
      #expect(a.rssi == b.rssi && a.samples == b.samples && abs((a.estimate?.distance.metres ?? 0) - 2.25) < 1e-9)
      #expect(a.estimate?.method == .bayesian)
    }
  }

  @Test(arguments: [
    VenueArea(.place("room-5"), venue: "gallery"), VenueArea(.place("room-5")), VenueArea(.level("first"), venue: "gallery"),
  ])
  func `a place in a venue is restored unchanged`(area: VenueArea) throws {
    let file = try JournalFile()
    let region = SavedRegion(
      identifier: "room", mark: .area(area), state: .inside, remembered: .inside, since: .day(0), history: RegionHistory(at: .day(0)),
      dwellLeft: .seconds(5))
    do { file.open().save([region], Self.heartbeat, at: .monotonic(0)) }
    #expect(try #require(file.open().savedRegions()).regions == [region])
  }

  @Test func `a circle is restored unchanged`() throws {
    let file = try JournalFile()
    let center = try #require(Coordinate(latitude: -48.137154123, longitude: 179.999999999))
    let mark = Region.Mark.circle(try #require(Circle(center: center, radius: 150.125)))
    let region = SavedRegion(
      identifier: "shop", mark: mark, state: .outside, remembered: .outside, since: .day(0), history: RegionHistory(at: .day(0)))
    do { file.open().save([region], Self.heartbeat, at: .monotonic(0)) }
    #expect(try #require(file.open().savedRegions()).regions == [region])
  }

  @Test func `the visit to a circle continues for any decimals in its definition`() throws {
    let file = try JournalFile()
    let center = try #require(Coordinate(latitude: 1.0 / 3, longitude: -2.0 / 3))
    let circle = try #require(Circle(center: center, radius: 160.9344))
    let region = Region.circle(CircularRegion(identifier: "mile", circle: circle, dwell: .seconds(600)))
    var engine = ProximityEngine(at: .day(0))
    engine.add(region, at: .day(0))
    engine.ingest(Fix(place: center, accuracy: 5, time: .day(0), isLasting: true), at: .day(0))
    engine.advance(to: .day(0) + .seconds(120))
    let before = try #require(engine.saved("mile") { $0 })
    do { file.open().save([before], Self.heartbeat, at: .monotonic(0)) }
    let saved = try #require(file.open().savedRegions()).regions
    var next = ProximityEngine(at: .day(0) + .seconds(121))
    next.add(region, at: next.now)
    next.restore(saved, after: .seconds(1), at: next.now) { $0 }
    next.ingest(Fix(place: center, accuracy: 5, time: next.now, isLasting: true), at: next.now)
    next.advance(to: .day(1))
    let reported = next.drainEvents().map(\.transition)
    #expect(reported.map(\.kind) == [.state, .dwell])
    #expect(reported.last.map { ($0.time - .day(0)).seconds } == 621)
  }

  /// Returns the rows of the regions, in the order of their names.
  private func rows(of file: JournalFile) throws -> [Substring] {
    try file.python("for row in db.execute('SELECT state FROM region ORDER BY identifier'): print(row[0])").split(separator: "\n")
  }

  @Test func `the rows of a release are written again octet by octet`() throws {
    let (old, new) = (try JournalFile(), try JournalFile())
    try Octets.write(Octets.read(Fixture.path("state-0.1.0/journal.db")), to: old.path)
    let saved = try #require(old.open().savedRegions())
    do { new.open().save(saved.regions, saved.heartbeat, at: .monotonic(0)) }
    // Version 0.1.0 had one method, and did not name it.
    let written = try rows(of: old).map { $0.replacing(",\"today\":", with: ",\"distanceMethod\":\"plain\",\"today\":") }
    #expect(try !written.isEmpty && rows(of: new).map(String.init) == written.map(String.init))
  }

  @Test func `a row has the keys of events where the meaning is the same`() throws {
    let file = try JournalFile()
    let history = RegionHistory(at: .day(0))
    let circle = try #require(Coordinate(latitude: -48.5, longitude: 11.25).flatMap { Circle(center: $0, radius: 150) })
    let regions = [
      try region("entrance"),
      SavedRegion(identifier: "mile", mark: .circle(circle), state: .outside, remembered: .outside, since: .day(0), history: history),
      SavedRegion(
        identifier: "room", mark: .area(VenueArea(.level("first"), venue: "gallery")), state: .unknown, remembered: .inside, since: .day(0),
        history: history),
    ]
    do { file.open().save(regions, Self.heartbeat, at: .monotonic(0)) }
    let quiet = #"{"longestGap":0,"longestAbsence":0,"silences":0,"departures":0,"strays":0}"#
    let end = #""since":"2026-11-21T00:00:00.000000Z","today":\#(quiet),"yesterday":\#(quiet),"dayEnd":"2026-11-22T00:00:00.000000Z"}"#
    let entrance = #"""
      {"region":"entrance","uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":7,"state":"inside","remembered":"inside",\#
      "since":"2026-11-20T00:00:00.000000Z","beacon":{"uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":7,"minor":65535},\#
      "measuredPower":-59,"proximity":"near","lastSeen":"2026-11-20T12:00:00.000000Z","rssi":-63.5,"samples":212,"distance":2.25,\#
      "distanceMethod":"bayesian","today":{"longestGap":12345,"longestAbsence":99000,"silences":1,"departures":2,"strays":3},\#
      "yesterday":\#(quiet),"dayEnd":"2026-11-21T06:00:00.000000Z","dwellLeft":1.500}
      """#
    let mile = #"""
      {"region":"mile","latitude":-48.500000000,"longitude":11.250000000,"radius":150.000,"state":"outside","remembered":"outside",\#
      \#(end)
      """#
    let room = #"{"region":"room","venue":"gallery","level":"first","state":"unknown","remembered":"inside",\#(end)"#
    #expect(try rows(of: file).map(String.init) == [entrance, mile, room])
  }

  @Test func `a state that was unknown stays unknown`() throws {
    let file = try JournalFile()
    let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
    let bare = SavedRegion(
      identifier: "bare", mark: .beacons(BeaconConstraint(uuid: uuid)), state: .unknown, remembered: .unknown, since: .day(0),
      history: RegionHistory(at: .day(0)))
    do { file.open().save([bare], Self.heartbeat, at: .monotonic(0)) }
    #expect(file.open().savedRegions()?.regions == [bare])
  }

  @Test func `an event and the resulting state are one commit`() throws {
    let file = try JournalFile()
    let journal = file.open()
    _ = journal.commit([.event(1)], [try region("entrance")], Self.heartbeat, at: .monotonic(0))
    let rest = try JournalFile()
    try Octets.write(file.octets(), to: rest.path)
    try Octets.write(file.octets("-wal"), to: rest.path + "-wal")
    let copy = rest.open()
    #expect(copy.numbers() == [1] && copy.savedRegions()?.regions.count == 1 && copy.savedRegions()?.heartbeat == Self.heartbeat)
  }

  @Test func `a crash between the new header of the log and its first frame keeps the states`() throws {
    let file = try JournalFile()
    let journal = file.open()
    var number: UInt64 = 0
    func commit() throws -> [UInt8] {
      number += 1
      _ = journal.commit([.event(number)], [try region("entrance")], Self.heartbeat, at: .monotonic(0))
      return try file.octets("-wal")
    }
    // SQLite restarts the log in the first commit after a checkpoint. Commits until then differ only in their frames.
    var (before, after) = (try commit(), try commit())
    while after.prefix(32) == before.prefix(32), number < 1000 { (before, after) = (after, try commit()) }
    #expect(number < 1000)
    let rest = try JournalFile()
    try Octets.write(file.octets(), to: rest.path)
    try Octets.write(Array(after.prefix(32) + before.dropFirst(32)), to: rest.path + "-wal")
    let copy = rest.open()
    #expect(copy.note == nil && copy.takeFindings() == [])
    #expect(copy.identity == journal.identity && copy.lastSequence == number - 1)
    #expect(copy.savedRegions()?.regions.map(\.identifier) == ["entrance"])
  }

  @Test func `a removed region is deleted, and an unchanged one is not written`() throws {
    let file = try JournalFile()
    let journal = file.open()
    journal.save([try region("a"), try region("b")], Self.heartbeat, at: .monotonic(0))
    journal.save([try region("b")], Self.heartbeat, at: .monotonic(0))
    #expect(journal.savedRegions()?.regions.map(\.identifier) == ["b"])
  }

  @Test func `a damaged state counts as never saved`() throws {
    let file = try JournalFile()
    do { file.open().save([try region("a"), try region("b")], Self.heartbeat, at: .monotonic(0)) }
    try file.python("db.execute(\"UPDATE region SET state = '{' WHERE identifier = 'a'\")")
    #expect(file.open().savedRegions()?.regions.map(\.identifier) == ["b"])
  }

  @Test func `no state is saved without a file`() throws {
    let journal = EventJournal(path: nil, .usual, at: .monotonic(0))
    journal.save([try region("a")], Self.heartbeat, at: .monotonic(0))
    #expect(journal.savedRegions() == nil)
  }
}
