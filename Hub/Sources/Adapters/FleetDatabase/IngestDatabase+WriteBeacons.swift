import Ingest
import PostgreSQL

extension IngestDatabase {
  func beacons(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.beacons.isEmpty else { return nil }
    var (beacons, sightings, times) = (BinaryArray(of: .int4), BinaryArray(of: .int8), BinaryArray(of: .int8))
    var (devices, levels) = (BinaryArray(of: .int4), BinaryArray(of: .int2))
    var (rooms, since, states) = (BinaryArray(of: .text), BinaryArray(of: .int8), BinaryArray(of: .bytea))
    for row in batch.beacons {
      beacons.append(row.state.id)
      sightings.append(row.state.sightings)
      times.append(row.state.lastSeen)
      devices.append(row.state.device)
      levels.append(row.state.level)
      if let room = row.room { rooms.append(room) } else { rooms.appendNull() }
      if let time = row.roomSince { since.append(time) } else { since.appendNull() }
      if let state = row.roomState { states.append(state) } else { states.appendNull() }
    }
    let columns = [beacons, sightings, times, devices, levels, rooms, since, states]
    return PostgreSQLStatement(prepared: "beacons-write", columns.map { .array($0) })
  }

  func roomChanges(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.roomChanges.isEmpty else { return nil }
    var (beacons, from, to) = (BinaryArray(of: .int4), BinaryArray(of: .text), BinaryArray(of: .text))
    var (times, reasons, since) = (BinaryArray(of: .int8), BinaryArray(of: .text), BinaryArray(of: .int8))
    for row in batch.roomChanges {
      beacons.append(row.beacon)
      if let room = row.from { from.append(room) } else { from.appendNull() }
      if let room = row.to { to.append(room) } else { to.appendNull() }
      times.append(row.time)
      reasons.append(row.reason)
      if let time = row.since { since.append(time) } else { since.appendNull() }
    }
    return PostgreSQLStatement(prepared: "changes-write", [beacons, from, to, times, reasons, since].map { .array($0) })
  }

  func offsets(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.offsets.isEmpty else { return nil }
    var (sites, offsets) = (BinaryArray(of: .int4), BinaryArray(of: .bytea))
    for (site, octets) in batch.offsets.sorted(by: { $0.key < $1.key }) {
      sites.append(site)
      offsets.append(octets)
    }
    return PostgreSQLStatement(prepared: "offsets-write", [.array(sites), .array(offsets)])
  }

  /// Returns the statement for corrections. Those of a survey that was stored again or deleted have no row any more.
  func corrections(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.corrections.isEmpty else { return nil }
    var (surveys, corrections) = (BinaryArray(of: .int8), BinaryArray(of: .bytea))
    for (survey, octets) in batch.corrections.sorted(by: { $0.key < $1.key }) {
      surveys.append(survey)
      corrections.append(octets)
    }
    return PostgreSQLStatement(prepared: "corrections-write", [.array(surveys), .array(corrections)])
  }
}
