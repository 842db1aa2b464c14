import Beacons
import Departures
import Foundation
import IndoorPositioning
import Instants
import LearnedState
import Monitoring
import Ranging
import SQLite
import TestSupport
import Testing
import Venues
import Wayfinding

@Suite struct LearnedStoreTests {
  private static let receivers = [
    LearnedReceiver(
      venue: "gallery", adapter: "AA:BB:CC:00:11:22",
      radio: LearnedRadio(
        transmitters: ["u/1/1": transmitter(1, -2.5, 3.25, 4, 5), "u/1/2": transmitter(0.1, 0.2, 0.3, 0.4, 0.5)], seconds: 321),
      since: Instant(microseconds: 1_790_000_000_000_000)),
    LearnedReceiver(
      venue: "shop", adapter: "hci1", level: ConfiguredLevel(offset: -2.5, isCalibrated: true),
      radio: LearnedRadio(transmitters: ["u/1/1": transmitter(9, 8, 7, 6, 5)], seconds: 10, isDistrusted: true)),
  ]

  private static func transmitter(_ sums: Double...) -> LearnedRadio.Transmitter {
    LearnedRadio.Transmitter(plan: "0 1.0 2.0 2.6 -59.0", sums: sums)
  }

  @Test func `learned offsets survive a restart`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load()?.isEmpty == true)
      store.save(Self.receivers)
    }
    #expect(LearnedStore(path: path, log: lines.logger).load() == Self.receivers)
    #expect(lines.all.isEmpty)
  }

  @Test func `refused offsets survive a restart, and go with their receiver`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)
    let refusals = ["gallery", "shop"].flatMap { venue in
      [nil, beacon].map { RefusedOffset(.init(venue: venue, adapter: "hci0", beacon: $0), offset: -2.5) }
    }
    LearnedStore(path: path, log: lines.logger).save(refusals)
    do {
      let next = LearnedStore(path: path, log: lines.logger)
      #expect(next.loadRefusals().map(Set.init) == Set(refusals))
      next.remove(venue: "shop", adapter: "hci0")
      #expect(next.loadRefusals().map(Set.init) == Set(refusals[..<2]))
    }
    #expect(LearnedStore(path: path, log: lines.logger).loadRefusals().map(Set.init) == Set(refusals[..<2]))
    #expect(lines.all.isEmpty)
  }

  @Test func `rows of another file do not hide offsets that are learned later`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    let evidence = (1...8).map { PlacementEvidence(transmitter: "u/1/\($0)", plan: "0", seconds: 1, sums: [1]) }
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save(Self.receivers)
      store.save(["gallery": evidence])
    }
    // The checksum of a row is that of its values, xor the id of its file.
    try Database(path: path).execute(
      "UPDATE placement SET checksum = (checksum | 7) & ~(checksum & 7); UPDATE head SET id = id + 1 WHERE name = 'departure'")
    let next = LearnedReceiver(
      venue: "next", adapter: "hci0", radio: LearnedRadio(transmitters: ["t": Self.transmitter(1, 2, 3, 4, 5)], seconds: 1))
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load() == Self.receivers && store.loadPlacements()?.isEmpty == true)
      #expect(lines.all == ["\(path) is damaged (placement, departure): 8 rows were removed; lost values are learned again"])
      for receiver in Self.receivers { store.remove(venue: nil, adapter: receiver.adapter) }
      store.save([next])
    }
    #expect(LearnedStore(path: path, log: lines.logger).load() == [next])
    #expect(lines.all.count == 1)
  }

  private static let placements = [
    "gallery": [
      PlacementEvidence(transmitter: "u/1/1", plan: "0 1.0 2.0 2.6 -59.0", seconds: 300, sums: [0.1, -2.5, 1e300, 0]),
      PlacementEvidence(transmitter: "u/1/2", plan: "0 5.0 2.0 2.6 -59.0", seconds: 20, sums: [1, 2, 3, 4]),
    ], "shop": [PlacementEvidence(transmitter: "u/2/1", plan: "1 0.0 0.0 0.0 -61.0", seconds: 1, sums: [])],
  ]

  @Test func `evidence about misplaced beacons is the same in the next process, until its venue is reset`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save(Self.receivers)
      store.save(Self.placements)
    }
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load() == Self.receivers && store.loadPlacements() == Self.placements)
      var next = Self.placements["gallery"] ?? []
      next[1].seconds = 21
      store.save(["gallery": next])
      #expect(store.loadPlacements() == ["gallery": next, "shop": Self.placements["shop"] ?? []])
    }
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.loadPlacements()?["gallery"]?.map(\.seconds) == [300, 21])
      store.remove(venue: nil, adapter: "hci1")
      #expect(store.loadPlacements()?.count == 2)
      store.remove(venue: "gallery", adapter: nil)
    }
    #expect(LearnedStore(path: path, log: lines.logger).loadPlacements() == ["shop": Self.placements["shop"] ?? []] && lines.all.isEmpty)
  }

  @Test func `damaged evidence is skipped`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save(Self.receivers)
      store.save(Self.placements)
    }
    try Database(path: path).execute("UPDATE placement SET seconds = 900 WHERE transmitter = 'u/1/1'")
    #expect(LearnedStore(path: path, log: lines.logger).loadPlacements()?["gallery"]?.map(\.transmitter) == ["u/1/2"])
    #expect(lines.all == ["\(path) is damaged (placement): 1 row was removed; lost values are learned again"])
  }

  /// Turns a file into one of an earlier version, whose rows about receivers lack the plan and the declaration.
  private func downgrade(_ path: String, to version: Int) throws {
    var sql = """
      DROP TABLE receiver; DROP TABLE offset;
      CREATE TABLE receiver (venue TEXT NOT NULL, adapter TEXT NOT NULL, seconds INTEGER NOT NULL, since INTEGER NOT NULL,
        offset REAL NOT NULL, checksum INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (venue, adapter)) STRICT, WITHOUT ROWID;
      CREATE TABLE offset (venue TEXT NOT NULL, adapter TEXT NOT NULL, transmitter TEXT NOT NULL, a REAL NOT NULL, b REAL NOT NULL,
        c REAL NOT NULL, d REAL NOT NULL, e REAL NOT NULL, checksum INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (venue, adapter, transmitter)) STRICT, WITHOUT ROWID;
      INSERT INTO receiver VALUES ('gallery', 'hci0', 321, 0, 0, 0);
      INSERT INTO offset VALUES ('gallery', 'hci0', 'u/1/1', 1, 2, 3, 4, 5, 0);
      """
    if version == 1 {
      sql += """
        DROP TABLE placement; DROP TABLE calibration; DROP TABLE departure;
        DELETE FROM head WHERE name IN ('placement', 'calibration', 'departure');
        """
    }
    sql += "DROP TABLE beacon; DROP TABLE refusal; DELETE FROM head WHERE name IN ('beacon', 'refusal');"
    try Database(path: path).execute(sql + "PRAGMA user_version = \(version)")
  }

  @Test(arguments: [1, 4]) func `a file of an earlier version opens, and its receivers learn again`(version: Int) throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save(Self.receivers)
      store.save(Self.placements)
    }
    try downgrade(path, to: version)
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load()?.isEmpty == true && store.loadPlacements() == (version == 1 ? [:] : Self.placements))
      store.save(Self.receivers)
      store.save(Self.placements)
    }
    let store = LearnedStore(path: path, log: lines.logger)
    #expect(store.load() == Self.receivers && store.loadPlacements() == Self.placements)
    #expect(lines.all.isEmpty)
  }

  @Test func `a receiver that is removed is gone in the next process, even if it was not read before`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do { LearnedStore(path: path, log: lines.logger).save(Self.receivers) }
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.remove(venue: "gallery", adapter: "hci1")
      #expect(store.load() == Self.receivers)
    }
    do { LearnedStore(path: path, log: lines.logger).remove(venue: nil, adapter: "AA:BB:CC:00:11:22") }
    #expect(LearnedStore(path: path, log: lines.logger).load() == [Self.receivers[1]])
    do { LearnedStore(path: path, log: lines.logger).remove(venue: nil, adapter: nil) }
    let store = LearnedStore(path: path, log: lines.logger)
    #expect(store.load()?.isEmpty == true)
    store.save([Self.receivers[0]])
    #expect(LearnedStore(path: "\(folder.path)/other.db", log: lines.logger).load()?.isEmpty == true && lines.all.isEmpty)
  }

  @Test func `a damaged row is skipped, and the others are read`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save(Self.receivers)
    }
    try Database(path: path).execute(
      "UPDATE offset SET b = 1e9 WHERE transmitter = 'u/1/1' AND venue = 'gallery'; UPDATE receiver SET seconds = -1 WHERE venue = 'shop'")
    let found = try #require(LearnedStore(path: path, log: lines.logger).load())
    #expect(found.map(\.venue) == ["gallery"] && found[0].radio.transmitters.keys.sorted() == ["u/1/2"])
  }

  @Test(arguments: ["DELETE FROM offset", "DELETE FROM offset WHERE transmitter <> 'u/1/1'"])
  func `lost offsets of a receiver are reported, and its seconds do not count without them`(loss: String) throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    let model = try RoomModel(
      levels: [RoomLevel(ordinal: 0)],
      transmitters: (1...6).map {
        RoomTransmitter(identity: "u/1/\($0)", point: PlanPoint(x: 3 * Double($0), y: 1), height: 2.6, power: -59)
      })
    let transmitters = Dictionary(
      uniqueKeysWithValues: (1...6).map { number in
        (
          "u/1/\(number)",
          LearnedRadio.Transmitter(plan: "0 \(3 * Double(number)) 1.0 2.6 -59.0", sums: [0.5, -4, 34, -3, 24])
        )
      })
    let receiver = LearnedReceiver(
      venue: "gallery", adapter: "hci0", level: ConfiguredLevel(isCalibrated: true),
      radio: LearnedRadio(transmitters: transmitters, seconds: 200, isDistrusted: true))
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      store.save([receiver])
    }
    #expect(RadioLearner(receiver.radio, model: model, isCalibrated: true).seconds == 200)
    try Database(path: path).execute(loss)
    let found = try #require(LearnedStore(path: path, log: lines.logger).load())
    #expect(lines.all == ["\(path) is damaged (offset): 0 rows were removed; lost values are learned again"])
    let radio = try #require(found.first).radio
    #expect(radio.transmitters.count < 2 && radio.isDistrusted && radio.seconds == 200)
    let learner = RadioLearner(radio, model: model, isCalibrated: true)
    #expect(learner.seconds == 0 && learner.levelDeviation == 4)
  }

  @Test func `a file that is not a database is moved aside with a line in the log`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    try String(repeating: "not a database ", count: 200).write(toFile: path, atomically: true, encoding: .utf8)
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load()?.isEmpty == true)
      store.save(Self.receivers)
    }
    #expect(LearnedStore(path: path, log: lines.logger).load() == Self.receivers)
    #expect(lines.all.contains { $0.contains("state.db.1") && $0.contains("learned again") })
  }

  @Test func `a file that can be opened only later keeps the receivers that were learned there before`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/disk/state.db", LogLines())
    try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: false)
    do { LearnedStore(path: path, log: lines.logger).save(Self.receivers) }
    try FileManager.default.moveItem(atPath: folder.file("disk"), toPath: folder.file("unmounted"))
    var next = Self.receivers[1]
    next.radio.seconds = 99
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.load() == nil)
      try FileManager.default.moveItem(atPath: folder.file("unmounted"), toPath: folder.file("disk"))
      store.save([next])
    }
    #expect(Set(try #require(LearnedStore(path: path, log: lines.logger).load())) == [Self.receivers[0], next])
  }

  @Test func `a folder that is missing costs one line, and the next save tries again`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/missing/state.db", LogLines())
    let store = LearnedStore(path: path, log: lines.logger)
    #expect(store.load() == nil && store.loadPlacements() == nil)
    store.save(Self.receivers)
    #expect(lines.all.count == 1)
    try FileManager.default.createDirectory(atPath: folder.file("missing"), withIntermediateDirectories: false)
    do {
      store.save(Self.receivers)
      #expect(lines.all.count == 1 && store.load() == Self.receivers)
    }
  }

  @Test func `the advice that was given is the same in the next process, and a damaged row is skipped`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    let departures = [
      StoredDeparture(
        id: .init(venue: "gallery", place: "lodestone", start: Instant(microseconds: 1_790_000_000_000_000)), stage: .advised),
      StoredDeparture(id: .init(venue: "gallery", place: "shop", start: Instant(microseconds: 1_790_000_000_000_001)), stage: .missed),
    ]
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.loadDepartures()?.isEmpty == true)
      #expect(store.save(departures))
    }
    #expect(LearnedStore(path: path, log: lines.logger).loadDepartures() == departures)
    try Database(path: path).execute("UPDATE departure SET stage = 0 WHERE place = 'lodestone'")
    #expect(LearnedStore(path: path, log: lines.logger).loadDepartures() == [departures[1]])
    #expect(lines.all == ["\(path) is damaged (departure): 1 row was removed; lost values are learned again"])
  }
}
