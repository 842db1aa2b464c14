import Beacons
import FleetDatabase
import FleetMessages
import Instants
import PostgreSQL
import Rooms
import Testing

@Suite struct SurveyMigrationTests {
  private static let tag = BeaconIdentity(
    uuid: BeaconUUID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF), major: 1, minor: 2)
  /// The levels of twelve devices in dBm. The eight loudest are neither the first nor the last, and one is above 0.
  private static let levels: [Int32: Int] = [
    101: -90, 102: -50, 103: 3, 104: -88, 105: -52, 106: -84, 107: -54, 108: -56, 109: -86, 110: -58, 111: -60, 112: -62,
  ]
  private static let loudest: [Int32] = [102, 103, 105, 107, 108, 110, 111, 112]

  private func devices(_ ids: [Int32]) -> [SiteDevice] { ids.map { SiteDevice(id: $0, room: "room \($0)") } }

  /// The state of a beacon that all of these devices hear, in a surveyed site.
  private func state(_ ids: [Int32]) throws -> [UInt8] {
    let samples = (3...90).map { RoomSurvey.Sample(time: UInt16($0 * 10), level: -60) }
    let devices = devices(ids)
    let surveys = devices.map { device in
      RoomSurvey(room: device.room, seconds: 100, listeners: [RoomSurvey.Listener(device: device.id, room: device.room, samples: samples)])
    }
    var filter = BeaconRoomFilter(devices: devices, surveys: surveys)
    for second in 1...30 as ClosedRange<Int64> {
      for device in devices {
        let sighting = FleetSighting(beacon: Self.tag, level: try #require(Self.levels[device.id]), distance: nil, rate: 9, age: 0)
        _ = filter.take([sighting], from: device.id, at: Instant(microseconds: second * 1_000_000 + Int64(device.id)))
      }
    }
    return try #require(filter.octets(of: Self.tag))
  }

  /// Makes a database with this schema, and a beacon with a state.
  private func database(_ version: Int, _ state: [UInt8]) throws -> (FleetSchema, PostgreSQLConnection) {
    let connection = try PostgreSQLConnection(try PrivateServer.database())
    let schema = FleetSchema(connection)
    _ = try schema.migrate(to: version)
    try connection.run(script: PrivateServer.rows)
    let text = state.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try connection.run(script: "update beacon set room_state = '\\x\(text)', room = 'room 103'")
    return (schema, connection)
  }

  private func state(_ connection: PostgreSQLConnection) throws -> [UInt8] {
    let text = try #require(try connection.run(script: "select encode(room_state, 'hex') from beacon").first)
    return stride(from: 0, to: text.utf8.count, by: 2).map { index in
      UInt8(text.dropFirst(index).prefix(2), radix: 16) ?? 0
    }
  }

  @Test("the step back keeps the eight loudest devices of a beacon, so that an earlier program reads its room")
  func stepBack() throws {
    let octets = try state(Self.levels.keys.sorted())
    #expect(octets.count == 193 && octets[37] == 12)
    let (schema, connection) = try database(15, octets)
    #expect(try schema.migrate(to: 14) == ["undo surveys"])
    let left = try state(connection)
    #expect(left.count == 145 && left[37] == 8)
    // The rest is the state of a beacon that only the loudest devices have heard.
    var filter = BeaconRoomFilter(devices: devices(Self.levels.keys.sorted()))
    try filter.restore(octets, of: Self.tag)
    let room = try #require(filter.room(of: Self.tag)?.room)
    try filter.restore(left, of: Self.tag)
    #expect(filter.octets(of: Self.tag) == left && filter.room(of: Self.tag)?.room == room)
    let receivers = stride(from: 38, to: 118, by: 10).map { Array(left[$0..<$0 + 10]) }
    let all = stride(from: 38, to: 158, by: 10).map { Array(octets[$0..<$0 + 10]) }
    #expect(receivers == all.filter { Self.loudest.contains(Int32($0[3])) })
    let anchors = stride(from: 125, to: 141, by: 2).map { Array(left[$0..<$0 + 2]) }
    #expect(anchors == all.indices.filter { Self.loudest.contains(Int32(all[$0][3])) }.map { Array(octets[165 + 2 * $0..<167 + 2 * $0]) })
    #expect(
      Array(left[118..<125]) == Array(octets[158..<165]) && left.suffix(4) == octets.suffix(4) && left.prefix(37) == octets.prefix(37))
  }

  @Test("the step back leaves a state with eight devices, one without places, and a damaged one", arguments: [8, 5, 0])
  func unchanged(count: Int) throws {
    var octets = try state(count == 0 ? Self.levels.keys.sorted() : Array(Self.loudest.prefix(count)))
    if count == 0 { octets.removeLast() }
    let (schema, connection) = try database(15, octets)
    _ = try schema.migrate(to: 14)
    #expect(try state(connection) == octets)
  }

  @Test("surveys outlast the step of corrections forward and back, and each has a key of its own")
  func corrections() throws {
    let (schema, connection) = try database(15, [])
    try connection.run(script: "insert into room_survey values (1, 'hall', now(), '\\x01'), (1, 'shop', now(), '\\x02')")
    let rows = "select room, octets from room_survey order by room"
    let before = try connection.lines(rows)
    for _ in 0..<2 {
      #expect(try schema.migrate(to: 16) == ["corrections"])
      #expect(try connection.lines(rows) == before)
      #expect(try connection.lines("select count(distinct survey_id), count(corrections) from room_survey") == ["2\t0"])
      try connection.run(script: "update room_survey set corrections = '\\x01', corrected_at = now()")
      #expect(try schema.migrate(to: 15, discarding: true) == ["undo corrections"])
      #expect(try connection.lines(rows) == before)
    }
  }
}
