import IndoorPositioning
import Instants
import Monitoring
import Ranging
import SQLite

// MARK: Offsets of receivers

extension LearnedStore: LearnedFile {
  private static let sumCount = 5

  /// Returns the SQL of the first parameters of a statement: `?1, ?2`.
  private static func places(_ count: Int) -> String { (1...count).map { "?\($0)" }.joined(separator: ", ") }

  public func load() -> [LearnedReceiver]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      try read(database, checks)
      return stored
    } catch {
      fail(error)
      return nil
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
          "INSERT INTO receiver VALUES (\(Self.places(7)), \(checks.checksum(of: Self.places(7), in: .receiver)))")
        let offset = try database.prepare(
          "INSERT INTO offset VALUES (\(Self.places(9)), \(checks.checksum(of: Self.places(9), in: .offset)))")
        for entry in receivers {
          try receiver.run(
            .text(entry.venue), .text(entry.adapter), .integer(Int64(entry.radio.seconds)), .integer(entry.since?.microseconds ?? 0),
            .real(entry.level.offset), .integer(entry.level.isCalibrated ? 1 : 0), .integer(entry.radio.isDistrusted ? 1 : 0))
          for (transmitter, learned) in entry.radio.transmitters where learned.sums.count == Self.sumCount {
            let sums = learned.sums
            try offset.run(
              .text(entry.venue), .text(entry.adapter), .text(transmitter), .text(learned.plan), .real(sums[0]), .real(sums[1]),
              .real(sums[2]), .real(sums[3]),
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

  public func remove(venue: String?, adapter: String?) {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      let selection = "WHERE (?1 IS NULL OR venue = ?1) AND (?2 IS NULL OR adapter = ?2)"
      try database.transaction { () throws(DatabaseError) in
        for table in ["receiver", "offset", "refusal"] {
          try database.prepare("DELETE FROM \(table) \(selection)").run(
            venue.map { .text($0) } ?? .null, adapter.map { .text($0) } ?? .null)
        }
        if adapter == nil {
          try database.prepare("DELETE FROM placement WHERE ?1 IS NULL OR venue = ?1").run(venue.map { .text($0) } ?? .null)
        }
      }
      if adapter == nil { storedPlacements = storedPlacements.filter { venue != nil && $0.key != venue } }
      stored.removeAll { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
      storedRefusals = storedRefusals.filter { venue != nil && $0.key.venue != venue || adapter != nil && $0.key.adapter != adapter }
      logged = nil
    } catch {
      fail(error)
    }
  }

  static func receivers(_ database: Database, _ checks: RowChecks) throws(DatabaseError) -> [LearnedReceiver] {
    var receivers = try database.prepare(
      "SELECT venue, adapter, seconds, since, offset, calibrated, distrusted FROM receiver WHERE \(checks.isIntact(.receiver)) ORDER BY venue, adapter"
    )
    .all { row in
      LearnedReceiver(
        venue: row.text(0) ?? "", adapter: row.text(1) ?? "",
        level: ConfiguredLevel(offset: row.real(4) ?? 0, isCalibrated: row.integer(5) == 1),
        radio: LearnedRadio(seconds: Int(clamping: row.integer(2) ?? 0), isDistrusted: row.integer(6) == 1),
        since: row.integer(3).flatMap { $0 == 0 ? nil : Instant(microseconds: $0) })
    }
    let offsets = try database.prepare(
      "SELECT transmitter, plan, a, b, c, d, e FROM offset WHERE venue = ? AND adapter = ? AND \(checks.isIntact(.offset))")
    for index in receivers.indices {
      let rows = try offsets.all(.text(receivers[index].venue), .text(receivers[index].adapter)) { row in
        (row.text(0) ?? "", LearnedRadio.Transmitter(plan: row.text(1) ?? "", sums: (2..<2 + sumCount).map { row.real($0) ?? 0 }))
      }
      receivers[index].radio.transmitters = Dictionary(rows) { first, _ in first }
    }
    return receivers
  }

}
