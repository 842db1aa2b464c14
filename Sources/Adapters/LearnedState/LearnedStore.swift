import Departures
import IndoorPositioning
import Instants
import Logging
import Monitoring
import SQLite
import Wayfinding

/// The file `state.db` of what the daemon has learned and done.
///
/// It has offsets of receivers, evidence about misplaced beacons, calibrations, and the advice that was given for appointments.
/// Everything in it can be learned again, or is worth little after a day, so a file that cannot be read is moved aside, and a damaged row is skipped.
public final class LearnedStore: LearnedFile {
  private let path: String
  private let log: Logger
  private var connection: (database: Database, checks: RowChecks)?
  private var stored: [LearnedReceiver] = []
  /// The evidence that is stored, by venue.
  private var storedPlacements: [String: [PlacementEvidence]] = [:]
  /// Whether the file has been read. A file that could be opened only later keeps the receivers that are learned there alone.
  var isRead = false
  /// The failure in the last log line.
  var logged: String?

  /// - Parameter path: the path of the file; its folder must exist.
  public init(path: String, log: Logger) {
    self.path = path
    self.log = log
  }

  public func load() -> [LearnedReceiver] {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      try read(database, checks)
      return stored
    } catch {
      fail(error)
      return []
    }
  }

  public func save(_ receivers: [LearnedReceiver]) {
    guard receivers != stored else { return }
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      let known = Set(receivers.map { [$0.venue, $0.adapter] })
      let receivers = receivers + stored.filter { !known.contains([$0.venue, $0.adapter]) }
      try database.transaction { () throws(DatabaseError) in
        try database.execute("DELETE FROM receiver; DELETE FROM offset")
        let receiver = try database.prepare(
          "INSERT INTO receiver VALUES (?1, ?2, ?3, ?4, ?5, \(checks.checksum(of: "?1, ?2, ?3, ?4, ?5", in: .receiver)))")
        let offset = try database.prepare(
          "INSERT INTO offset VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, \(checks.checksum(of: "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8", in: .offset)))"
        )
        for entry in receivers {
          try receiver.run(
            .text(entry.venue), .text(entry.adapter), .integer(Int64(entry.radio.seconds)), .integer(entry.since?.microseconds ?? 0),
            .real(entry.rssiOffset))
          for (transmitter, sums) in entry.radio.transmitters where sums.count == Self.sumCount {
            try offset.run(
              .text(entry.venue), .text(entry.adapter), .text(transmitter), .real(sums[0]), .real(sums[1]), .real(sums[2]), .real(sums[3]),
              .real(sums[4]))
          }
        }
      }
      stored = receivers
      logged = nil
    } catch {
      fail(error)
    }
  }

  public func loadPlacements() -> [String: [PlacementEvidence]] {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      return storedPlacements
    } catch {
      fail(error)
      return [:]
    }
  }

  public func save(_ placements: [String: [PlacementEvidence]]) {
    guard placements != storedPlacements else { return }
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      let placements = storedPlacements.merging(placements) { $1 }
      let before = storedPlacements
      try database.transaction { () throws(DatabaseError) in
        let deletion = try database.prepare("DELETE FROM placement WHERE venue = ?")
        let insertion = try database.prepare(
          "INSERT INTO placement VALUES (?1, ?2, ?3, ?4, ?5, \(checks.checksum(of: "?1, ?2, ?3, ?4, ?5", in: .placement)))")
        for (venue, evidence) in placements where before[venue] != evidence {
          try deletion.run(.text(venue))
          for entry in evidence {
            try insertion.run(
              .text(venue), .text(entry.transmitter), .text(entry.plan), .integer(Int64(entry.seconds)), .blob(Self.octets(entry.sums)))
          }
        }
      }
      storedPlacements = placements
      logged = nil
    } catch {
      fail(error)
    }
  }

  /// Returns the numbers in the order of the octets of a little-endian machine.
  static func octets(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) } }
  }

  static func numbers(_ octets: [UInt8]) -> [Double] {
    stride(from: 0, to: octets.count - octets.count % 8, by: 8).map { start in
      Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(octets[start + $1]) << (8 * UInt64($1)) })
    }
  }

  public func remove(venue: String?, adapter: String?) {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      let selection = "WHERE (?1 IS NULL OR venue = ?1) AND (?2 IS NULL OR adapter = ?2)"
      try database.transaction { () throws(DatabaseError) in
        for table in ["receiver", "offset"] {
          try database.prepare("DELETE FROM \(table) \(selection)").run(
            venue.map { .text($0) } ?? .null, adapter.map { .text($0) } ?? .null)
        }
        if adapter == nil {
          try database.prepare("DELETE FROM placement WHERE ?1 IS NULL OR venue = ?1").run(venue.map { .text($0) } ?? .null)
        }
      }
      if adapter == nil { storedPlacements = storedPlacements.filter { venue != nil && $0.key != venue } }
      stored.removeAll { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
      logged = nil
    } catch {
      fail(error)
    }
  }

  private static let sumCount = 5

  private func read(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    stored = try Self.receivers(database, checks)
    storedPlacements = try Self.placements(database, checks)
    isRead = true
  }

  private static func placements(_ database: Database, _ checks: RowChecks) throws(DatabaseError) -> [String: [PlacementEvidence]] {
    let rows = try database.prepare(
      "SELECT venue, transmitter, plan, seconds, sums FROM placement WHERE \(checks.isIntact(.placement)) ORDER BY venue, transmitter"
    )
    .all { row in
      (
        row.text(0) ?? "",
        PlacementEvidence(
          transmitter: row.text(1) ?? "", plan: row.text(2) ?? "", seconds: Int(clamping: row.integer(3) ?? 0),
          sums: numbers(row.blob(4) ?? []))
      )
    }
    return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }

  private static func receivers(_ database: Database, _ checks: RowChecks) throws(DatabaseError) -> [LearnedReceiver] {
    var receivers = try database.prepare(
      "SELECT venue, adapter, seconds, since, offset FROM receiver WHERE \(checks.isIntact(.receiver)) ORDER BY venue, adapter"
    )
    .all { row in
      LearnedReceiver(
        venue: row.text(0) ?? "", adapter: row.text(1) ?? "", rssiOffset: row.real(4) ?? 0,
        radio: LearnedRadio(seconds: Int(clamping: row.integer(2) ?? 0)),
        since: row.integer(3).flatMap { $0 == 0 ? nil : Instant(microseconds: $0) })
    }
    let offsets = try database.prepare(
      "SELECT transmitter, a, b, c, d, e FROM offset WHERE venue = ? AND adapter = ? AND \(checks.isIntact(.offset))")
    for index in receivers.indices {
      let rows = try offsets.all(.text(receivers[index].venue), .text(receivers[index].adapter)) { row in
        (row.text(0) ?? "", (1...sumCount).map { row.real($0) ?? 0 })
      }
      receivers[index].radio.transmitters = Dictionary(rows) { first, _ in first }
    }
    return receivers
  }

  func opened() throws(DatabaseError) -> (database: Database, checks: RowChecks) {
    if let connection, !connection.database.hasFailed { return connection }
    connection = nil
    let opened: (database: Database, checks: RowChecks)
    do throws(DatabaseError) {
      opened = try open()
    } catch  where error.isUnreadable {
      guard let name = UnreadableFile.moveAside(path) else { throw error }
      log.warning(
        "\(path) could not be read and was moved to \(name); the offsets of receivers at venues are learned again: \(error.message)")
      opened = try open()
    }
    connection = opened
    return opened
  }

  private func open() throws(DatabaseError) -> (database: Database, checks: RowChecks) {
    let database = try Schema.learned.open(path, .exclusive)
    try database.integrityCheck()
    let checks = try RowChecks(database, CheckedTable.learned)
    do throws(DatabaseError) {
      try repair(database, checks)
    } catch  where !error.isUnreadable {
      // A disk that is full or cannot be written now. Damaged rows are skipped until the next start.
    }
    return (database, checks)
  }

  /// Removes damaged rows. Those of another file could outnumber the own ones later, and decide then which file this is.
  private func repair(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    var damaged: [CheckedTable] = []
    for table in CheckedTable.learned where try !checks.findings(in: table).isIntact { damaged.append(table) }
    guard !damaged.isEmpty else { return }
    var count = 0
    try database.transaction { () throws(DatabaseError) in
      for table in damaged {
        count += try checks.removeDamagedRows(of: table)
        try checks.rebuildHead(of: table)
      }
    }
    let names = damaged.map(\.name).joined(separator: ", ")
    log.warning("\(path) is damaged (\(names)): \(count) row\(count == 1 ? " was" : "s were") removed; lost values are learned again")
  }

  func fail(_ error: DatabaseError) {
    let text = "\(path): \(error.message); learned offsets and the advice for appointments are kept in memory until the file can be written"
    guard logged != text else { return }
    logged = text
    log.warning("\(text)")
  }
}

// MARK: Appointments

extension LearnedStore: DepartureFile {
  public func loadDepartures() -> [StoredDeparture]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      return try database.prepare("SELECT venue, place, start, stage FROM departure WHERE \(checks.isIntact(.departure)) ORDER BY start")
        .all { row -> StoredDeparture? in
          guard let venue = row.text(0), let place = row.text(1), let start = row.integer(2),
            let stage = row.integer(3).flatMap({ DepartureAdvisor.Stage(rawValue: Int(clamping: $0)) })
          else { return nil }
          return StoredDeparture(id: .init(venue: venue, place: place, start: Instant(microseconds: start)), stage: stage)
        }
        .compactMap(\.self)
    } catch {
      fail(error)
      return nil
    }
  }

  public func save(_ departures: [StoredDeparture]) -> Bool {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      try database.transaction { () throws(DatabaseError) in
        try database.execute("DELETE FROM departure")
        let insertion = try database.prepare(
          "INSERT INTO departure VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .departure)))")
        for departure in departures {
          try insertion.run(
            .text(departure.id.venue), .text(departure.id.place), .integer(departure.id.start.microseconds),
            .integer(Int64(departure.stage.rawValue)))
        }
      }
      logged = nil
      return true
    } catch {
      fail(error)
      return false
    }
  }
}
