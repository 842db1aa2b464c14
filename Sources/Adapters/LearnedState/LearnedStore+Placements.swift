import IndoorPositioning
import SQLite

// MARK: Misplaced beacons

extension LearnedStore {
  public func loadPlacements() -> [String: [PlacementEvidence]]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      return storedPlacements
    } catch {
      fail(error)
      return nil
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

  static func placements(_ database: Database, _ checks: RowChecks) throws(DatabaseError) -> [String: [PlacementEvidence]] {
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

}
