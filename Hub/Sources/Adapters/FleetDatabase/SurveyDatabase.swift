import Beacons
import FleetMessages
import PostgreSQL
import RoomSurveying
import Rooms
import Streams

/// The surveys of rooms, which an installer makes with a tag.
public struct SurveyDatabase: SurveyStore {
  /// The length in milliseconds of the time whose digests are read at once.
  private static let window: Int64 = 10_000

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// The time of the database in milliseconds since 1970, by which digests are dated.
  public func time() throws -> Int64 {
    Int64(try connection.run(script: "select (extract(epoch from clock_timestamp()) * 1000)::int8").first ?? "") ?? 0
  }

  /// Returns the devices of a site that have a room; nil if there is no such site.
  public func devices(of site: String) throws -> [PlacedDevice]? {
    let answers = try connection.run([
      PostgreSQLStatement("select 1 from site where name = $1", [.text(site)]),
      PostgreSQLStatement(
        """
        select d.name, d.device_id, d.room, d.floor from device d join site s using (site_id)
        where s.name = $1 and d.room is not null and d.revoked_at is null order by d.room, d.name
        """, [.text(site)]),
    ])
    guard !answers[0].rows.isEmpty else { return nil }
    return answers[1].rows.compactMap { row in
      guard let name = row[0], let id = row.number(1, Int32.self), let room = row[2] else { return nil }
      return PlacedDevice(name: name, device: SiteDevice(id: id, room: room, floor: row.number(3, Int.self)))
    }
  }

  /// Returns the tags of a site with this major and minor.
  public func tags(of site: String, major: UInt16, minor: UInt16) throws -> [BeaconIdentity] {
    let rows = try connection.run(
      PostgreSQLStatement(
        "select b.uuid from beacon b join site s using (site_id) where s.name = $1 and b.major = $2::int4 and b.minor = $3::int4 order by 1",
        [.text(site), .integer(Int(major)), .integer(Int(minor))]
      )
    ).rows
    return rows.compactMap { row in
      row[0].flatMap(StreamJournal.init(uuid:)).map {
        BeaconIdentity(uuid: BeaconUUID(high: $0.high, low: $0.low), major: major, minor: minor)
      }
    }
  }

  /// Reads the levels of a tag during a walk from the stored digests, some seconds of them at once: a large site has many.
  ///
  /// - Parameter parts: The parts of the walk in their order, in milliseconds since 1970 by the clock of the database.
  public func levels(
    of tag: BeaconIdentity, at site: String, during parts: [ClosedRange<Int64>], devices: [PlacedDevice]
  ) throws -> WalkLevels {
    var levels = WalkLevels(of: tag, during: parts, devices: devices.map(\.device))
    var begin = Int64.min
    for part in parts {
      begin = max(begin, part.lowerBound)
      let end = part.upperBound + RoomSurvey.longestDelay
      while begin <= end {
        try read(site, from: begin, to: min(begin + Self.window - 1, end), into: &levels)
        begin = min(begin + Self.window, end + 1)
      }
    }
    return levels
  }

  private func read(_ site: String, from begin: Int64, to end: Int64, into levels: inout WalkLevels) throws {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select g.device_id, (extract(epoch from g.received_at) * 1000)::int8, g.body
        from digest g join device d using (device_id) join site s using (site_id)
        where s.name = $1 and d.room is not null and d.revoked_at is null
          and g.received_at >= timestamptz 'epoch' + $2::int8 * interval '1 millisecond'
          and g.received_at < timestamptz 'epoch' + $3::int8 * interval '1 millisecond'
        """,
        [.text(site), .integer(Int(begin)), .integer(Int(end + 1))]
      )
    ).rows
    for row in rows {
      // A digest that cannot be read was stored by a later version.
      guard let device = row.number(0, Int32.self), let received = row.number(1, Int64.self), let octets = row.octets(2),
        let message = try? FleetMessage(octets), case .digest(let sightings) = message.body
      else { continue }
      levels.take(sightings, from: device, at: DeviceClock.time(ofDevice: message.time, received: received))
    }
  }

  /// Stores a survey, and replaces an earlier one of the room. Workers use it after the next batch.
  ///
  /// A call whose link broke may be repeated, whether the survey was stored or not.
  public func store(_ survey: RoomSurvey, at site: String, from begin: Int64, by actor: String) throws {
    var octets = BinaryArray(of: .bytea)
    octets.append(survey.octets)
    try connection.run([
      PostgreSQLStatement(
        """
        insert into room_survey(site_id, room, walked_at, octets)
        select s.site_id, $2, timestamptz 'epoch' + $3::int8 * interval '1 millisecond', o from site s, unnest($4::bytea[]) o where s.name = $1
        on conflict (site_id, room) do update set walked_at = excluded.walked_at, octets = excluded.octets,
          survey_id = excluded.survey_id, corrections = null, corrected_at = null
        """, [.text(site), .text(survey.room), .integer(begin), .array(octets)]),
      Self.noted("survey room", site, survey.room, actor),
      EnrolmentDatabase.changed,
    ])
  }

  /// Deletes the survey of a room, or those of all rooms. Returns the rooms.
  public func forget(_ room: String?, at site: String, by actor: String) throws -> [String] {
    guard try rooms(of: site).contains(where: { room == nil || $0.room == room }) else { return [] }
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        delete from room_survey r using site s where s.site_id = r.site_id and s.name = $1 and ($2::text is null or r.room = $2)
        returning r.room
        """, [.text(site), room.map { .text($0) } ?? .null]),
      Self.noted("forget survey", site, room ?? "all rooms", actor),
      EnrolmentDatabase.changed,
    ])
    return answers[0].rows.compactMap { $0[0] }.sorted()
  }

  /// Returns the rooms of a site that have a survey, without the surveys, which are large.
  public func rooms(of site: String) throws -> [SurveyedRoom] {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select r.room, to_char(r.walked_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')
        from room_survey r join site s using (site_id) where s.name = $1 order by r.room
        """, [.text(site)])
    ).rows
    return rows.map { SurveyedRoom(room: $0[0] ?? "", time: $0[1] ?? "") }
  }

  /// Returns the survey of a room; nil if there is none.
  ///
  /// Throws `RoomStateError` if its octets are damaged or of another version.
  public func survey(of room: String, at site: String) throws -> RoomSurvey? {
    let rows = try connection.run(
      PostgreSQLStatement(
        "select r.octets from room_survey r join site s using (site_id) where s.name = $1 and r.room = $2", [.text(site), .text(room)])
    ).rows
    return try rows.first?.octets(0).map { octets in
      var survey = try RoomSurvey(octets: octets)
      survey.room = room
      return survey
    }
  }

  private static func noted(_ action: String, _ site: String, _ room: String, _ actor: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "insert into audit(actor, action, site_id, subject, detail) select $1, $2, site_id, $3, 'room ' || $4 from site where name = $3",
      [.text(actor), .text(action), .text(site), .text(room)])
  }
}

extension PostgreSQLError: SurveyStoreError {}
