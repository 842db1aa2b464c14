import Beacons
import Monitoring
import SQLite

// MARK: Refused offsets

extension LearnedStore {
  public func loadRefusals() -> [RefusedOffset]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      return Array(storedRefusals)
    } catch {
      fail(error)
      return nil
    }
  }

  public func save(_ refusals: [RefusedOffset]) {
    let refusals = Set(refusals)
    guard refusals != storedRefusals else { return }
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      if !isRead { try read(database, checks) }
      try database.transaction { () throws(DatabaseError) in
        try database.execute("DELETE FROM refusal")
        let insertion = try database.prepare(
          "INSERT INTO refusal VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .refusal)))")
        for refusal in refusals {
          let key = refusal.key
          // The receiver itself has an empty name.
          try insertion.run(
            .text(key.venue), .text(key.adapter), .text(key.beacon.map { "\($0)" } ?? ""), .real(refusal.offset))
        }
      }
      storedRefusals = refusals
      logged = nil
    } catch {
      fail(error)
    }
  }

  static func refusals(_ database: Database, _ checks: RowChecks) throws(DatabaseError) -> Set<RefusedOffset> {
    let rows = try database.prepare("SELECT venue, adapter, beacon, offset FROM refusal WHERE \(checks.isIntact(.refusal))").all {
      row -> RefusedOffset? in
      let name = row.text(2) ?? ""
      let beacon = BeaconIdentity(name)
      guard name.isEmpty || beacon != nil else { return nil }
      return RefusedOffset(.init(venue: row.text(0) ?? "", adapter: row.text(1) ?? "", beacon: beacon), offset: row.real(3) ?? 0)
    }
    return Set(rows.compactMap(\.self))
  }
}
