import Beacons
import FleetDatabase
import FleetMessages
import Ingest
import PostgreSQL
import Rooms
import Streams
import Testing

@Suite struct SurveyTests {
  private let connection: PostgreSQLConnection
  private let store: IngestDatabase
  private let surveys: SurveyDatabase
  private static let tag = BeaconIdentity(
    uuid: BeaconUUID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF), major: 1, minor: 2)

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    try connection.run(
      script: """
        update device set room = 'hall', floor = 0; insert into device(site_id, name, room) values (1, 'till', 'shop'), (1, 'spare', null);
        """)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    surveys = try SurveyDatabase(try PostgreSQLConnection(parameters))
  }

  /// Stores a digest of the door each second since 100 s ago. Every other one has the tag.
  private func walk() throws -> Int64 {
    let begin = try surveys.time() - 100_000
    var batch = Batch()
    batch.epochs = [0: try store.acquire(queue: 0, worker: "test")]
    var record = StreamRecord()
    for second in 0...100 as ClosedRange<Int64> {
      let sighting = FleetSighting(beacon: Self.tag, level: -60 - Int(second % 7), distance: nil, rate: 10, age: 200)
      let message = FleetMessage(
        journal: StreamJournal(high: 1, low: 2), sequence: second + 1, floor: 1, time: begin + second * 1000,
        body: .digest(second % 2 == 0 ? [sighting] : []))
      _ = record.take(second + 1, floor: 1)
      let row = MessageRow(device: 1, journal: message.journal, sequence: message.sequence, time: message.time)
      batch.digests.append((row, message.octets))
    }
    batch.streams = [StreamKey(device: 1, stream: .digests, journal: StreamJournal(high: 1, low: 2)): record]
    _ = try store.write(batch)
    // The walk may have begun in the hour before.
    try connection.run(script: "call fleet_make_partition('digest', now() - interval '1 hour')")
    try connection.run(
      script: "update digest set received_at = device_time + interval '100 ms' where device_time > now() - interval '1 hour'")
    return begin
  }

  private func read(_ room: String, from begin: Int64) throws -> RoomSurvey { try read(room, [begin...begin + 100_000]) }

  private func read(_ room: String, _ parts: [ClosedRange<Int64>]) throws -> RoomSurvey {
    let devices = try #require(try surveys.devices(of: "berlin"))
    return try surveys.levels(of: Self.tag, at: "berlin", during: parts, devices: devices).survey(of: room, doors: ["shop"])
  }

  @Test("a survey has the levels of the stored digests of its time")
  func reading() throws {
    let survey = try read("hall", from: try walk())
    #expect(survey.listeners.map(\.device) == [1] && survey.listeners.first?.room == "hall")
    #expect((45...50).contains(survey.levelCount), "\(survey.levelCount)")
    #expect(survey.listeners.first?.samples.count { $0.level == nil } ?? 0 >= 45)
    #expect(survey.listeners.first?.samples.first { $0.level != nil }?.level.map { (-66...(-60)).contains($0) } == true)
    #expect(try read("hall", from: try surveys.time() - 3_600_000).listeners.isEmpty)
  }

  @Test("a stored survey replaces the one before, and a worker reads it after the revision changed")
  func storing() throws {
    let begin = try walk()
    let survey = try read("hall", from: begin)
    let revision = try connection.lines("select revision from fleet")
    try surveys.store(RoomSurvey(room: "hall", seconds: 1, listeners: []), at: "berlin", from: begin, by: "test")
    try surveys.store(survey, at: "berlin", from: begin, by: "test")
    #expect(try store.surveys(of: 1).map { try $0.content.get() } == [survey])
    #expect(try store.sites([1])[1]?.surveys == [2])
    #expect(try connection.lines("select revision from fleet") != revision)
    #expect(try surveys.survey(of: "hall", at: "berlin") == survey && surveys.survey(of: "shop", at: "berlin") == nil)
    #expect(try surveys.rooms(of: "berlin").map(\.room) == ["hall"])
    #expect(
      try connection.lines("select actor, action, subject, detail from audit order by 1 desc limit 1")
        == ["test\tsurvey room\tberlin\troom hall"])
  }

  @Test("a walk with a pause has the levels of its parts, each once although the digests of the pause may be late ones")
  func pause() throws {
    let begin = try walk()
    let survey = try read("hall", [begin...begin + 40_000, begin + 50_000...begin + 100_000])
    #expect(survey.seconds == 87)
    #expect((36...43).contains(survey.levelCount), "\(survey.levelCount)")
    #expect(survey.listeners.first?.samples.count ?? 0 <= 87)
  }

  @Test("a survey that cannot be read is one that counts as none, and says why")
  func damaged() throws {
    try connection.run(
      script: """
        insert into room_survey values (1, 'hall', now(), '\\x0900'),
          (1, 'shop', now(), decode(repeat('01', \(RoomSurvey.mostOctets + 1)), 'hex'))
        """)
    let contents = try store.surveys(of: 1).map(\.content)
    #expect(contents == [.failure(.unknownVersion(9)), .failure(.wrongLength(RoomSurvey.mostOctets + 1))])
    #expect(throws: RoomStateError.unknownVersion(9)) { try surveys.survey(of: "hall", at: "berlin") }
    #expect(try surveys.rooms(of: "berlin").map(\.room) == ["hall", "shop"])
  }

  @Test("the corrections of a survey are stored with it, and end with it")
  func corrections() throws {
    try surveys.store(RoomSurvey(room: "hall", seconds: 60, listeners: []), at: "berlin", from: 0, by: "test")
    try surveys.store(RoomSurvey(room: "shop", seconds: 60, listeners: []), at: "berlin", from: 0, by: "test")
    var batch = Batch()
    batch.epochs = [0: try store.acquire(queue: 0, worker: "test")]
    batch.corrections = [1: [1, 2, 3], 2: [4], 99: [5]]
    _ = try store.write(batch)
    #expect(try store.surveys(of: 1).map(\.corrections) == [[1, 2, 3], [4]])
    #expect(try connection.lines("select count(*) from room_survey where corrected_at is not null") == ["2"])
    try surveys.store(RoomSurvey(room: "hall", seconds: 61, listeners: []), at: "berlin", from: 0, by: "test")
    _ = try surveys.forget("shop", at: "berlin", by: "test")
    // A worker that has not noticed it yet.
    batch.corrections = [1: [6], 2: [7]]
    _ = try store.write(batch)
    #expect(try store.surveys(of: 1).map(\.key) == [3] && store.surveys(of: 1).map(\.corrections) == [nil])
    #expect(try store.sites([1])[1]?.surveys == [3])
  }

  @Test("a room is forgotten alone or with all others")
  func forgetting() throws {
    for room in ["hall", "shop", "attic"] {
      try surveys.store(RoomSurvey(room: room, seconds: 60, listeners: []), at: "berlin", from: 0, by: "test")
    }
    #expect(try surveys.forget("shop", at: "berlin", by: "test") == ["shop"])
    #expect(try surveys.forget("shop", at: "berlin", by: "test") == [])
    #expect(try surveys.forget(nil, at: "berlin", by: "test") == ["attic", "hall"])
    #expect(try store.sites([1])[1]?.surveys == [])
  }

  @Test("the devices of a site are those with a room, and an unknown site has none")
  func devices() throws {
    #expect(try surveys.devices(of: "berlin")?.map(\.name) == ["door", "till"])
    #expect(try surveys.devices(of: "paris") == nil)
    #expect(try surveys.tags(of: "berlin", major: 1, minor: 2) == [Self.tag])
    #expect(try surveys.tags(of: "berlin", major: 1, minor: 3) == [])
  }
}
