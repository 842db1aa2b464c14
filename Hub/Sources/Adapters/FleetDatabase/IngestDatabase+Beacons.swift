import Beacons
import FleetMessages
import Ingest
import PostgreSQL
import Rooms

extension IngestDatabase {
  public func beacons(_ keys: [BeaconKey], silentSince: Int64) throws -> LoadedBeacons {
    var found: [BeaconKey: LoadedBeacon] = [:]
    let columns = BeaconColumns(keys)
    // A statement does not see the rows that it inserts.
    let evicted = try connection.run(
      PostgreSQLStatement(prepared: "beacons-enter", columns.values + [.integer(Self.mostBeacons), .integer(silentSince)])
    ).rows.map { row in try Self.key(row, site: 0) }
    for row in try connection.run(PostgreSQLStatement(prepared: "beacons", columns.values)).rows {
      guard let index = row.number(0, Int.self), keys.indices.contains(index - 1), let id = row.number(1, Int32.self) else {
        throw PostgreSQLError(message: "the table beacon has a row that cannot be read")
      }
      let state = BeaconState(
        id: id, sightings: row.number(2, Int64.self) ?? 0, lastSeen: row.number(3, Int64.self) ?? 0, device: row.number(4, Int32.self) ?? 0,
        level: row.number(5, Int16.self) ?? 0)
      found[keys[index - 1]] = LoadedBeacon(state: state, roomState: row.octets(6), room: row[7], roomSince: row.number(8, Int64.self))
    }
    let absent = keys.filter { found[$0] == nil }
    return LoadedBeacons(found: found, evicted: evicted, erased: absent.isEmpty ? [] : try erased(absent))
  }

  private func erased(_ keys: [BeaconKey]) throws(PostgreSQLError) -> [BeaconKey] {
    let rows = try connection.run(PostgreSQLStatement(prepared: "beacons-erased", BeaconColumns(keys).values)).rows
    return rows.compactMap { row in row.number(0, Int.self).map { keys[$0 - 1] } }
  }

  /// Returns the identity in the columns that begin with `site`.
  private static func key(_ row: [String?], site column: Int) throws(PostgreSQLError) -> BeaconKey {
    guard let site = row.number(column, Int32.self), let uuid = row[column + 1].flatMap(StreamJournal.init(uuid:)),
      let major = row.number(column + 2, UInt16.self), let minor = row.number(column + 3, UInt16.self)
    else { throw PostgreSQLError(message: "the table beacon has a row that cannot be read") }
    return BeaconKey(site: site, beacon: BeaconIdentity(uuid: BeaconUUID(high: uuid.high, low: uuid.low), major: major, minor: minor))
  }

  public func sites(_ sites: [Int32]) throws -> [Int32: LoadedSite] {
    var ids = BinaryArray(of: .int4)
    for site in sites { ids.append(site) }
    let answers = try connection.run(
      ["site-devices", "site-offsets", "site-beacons", "survey-keys"].map { PostgreSQLStatement(prepared: $0, [.array(ids)]) })
    var found: [Int32: LoadedSite] = [:]
    for row in answers[1].rows {
      guard let site = row.number(0, Int32.self) else { continue }
      found[site] = LoadedSite(offsets: row.octets(1))
    }
    for row in answers[0].rows {
      guard let site = row.number(0, Int32.self), let device = row.number(1, Int32.self), let room = row[2] else { continue }
      found[site]?.devices.append(SiteDevice(id: device, room: room, floor: row.number(3, Int.self)))
    }
    for row in answers[3].rows {
      guard let site = row.number(0, Int32.self), let key = row.number(1, Int64.self) else { continue }
      found[site]?.surveys.append(key)
    }
    for row in answers[2].rows {
      let key = try Self.key(row, site: 0)
      guard let id = row.number(4, Int32.self) else { throw PostgreSQLError(message: "the table beacon has a row that cannot be read") }
      let state = BeaconState(
        id: id, sightings: row.number(5, Int64.self) ?? 0, lastSeen: row.number(6, Int64.self) ?? 0, device: row.number(7, Int32.self) ?? 0,
        level: row.number(8, Int16.self) ?? 0)
      found[key.site]?.beacons[key] = LoadedBeacon(
        state: state, roomState: row.octets(9), room: row[10], roomSince: row.number(11, Int64.self))
    }
    return found
  }
}

extension IngestDatabase {
  public func surveys(of site: Int32) throws -> [LoadedSurvey] {
    let rows = try connection.run(PostgreSQLStatement(prepared: "surveys", [.integer(Int(site)), .integer(RoomSurvey.mostOctets)])).rows
    return try rows.map { row in
      guard let key = row.number(0, Int64.self), let room = row[1] else {
        throw PostgreSQLError(message: "the table room_survey has a row that cannot be read")
      }
      let content = Result { () throws(RoomStateError) in
        guard let octets = row.octets(2) else { throw .wrongLength(row.number(3, Int.self) ?? 0) }
        var survey = try RoomSurvey(octets: octets)
        survey.room = room
        return survey
      }
      return LoadedSurvey(key: key, room: room, content: content, corrections: row.octets(4))
    }
  }
}

/// Identities of beacons as arrays.
private struct BeaconColumns {
  var sites = BinaryArray(of: .int4)
  var uuids = BinaryArray(of: .uuid)
  var majors = BinaryArray(of: .int4)
  var minors = BinaryArray(of: .int4)

  init(_ keys: [BeaconKey]) {
    for key in keys {
      sites.append(key.site)
      uuids.append(high: key.beacon.uuid.high, low: key.beacon.uuid.low)
      majors.append(Int32(key.beacon.major))
      minors.append(Int32(key.beacon.minor))
    }
  }

  var values: [PostgreSQLValue] { [.array(sites), .array(uuids), .array(majors), .array(minors)] }
}
