import BeaconHealth
import Beacons
import SQLite

// MARK: Expected beacons

extension LearnedStore {
  /// A beacon has a row without an adapter for its own numbers, and one for the levels of each adapter.
  public func loadBeacons(at place: String) -> [LearnedBeacon]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      let rows = try database.prepare(
        "SELECT beacon, adapter, numbers FROM beacon WHERE place = ? AND \(checks.isIntact(.beacon)) ORDER BY beacon, adapter"
      )
      .all(.text(place)) { row in (row.text(0) ?? "", row.text(1) ?? "", Self.numbers(row.blob(2) ?? [])) }
      var beacons: [BeaconIdentity: LearnedBeacon] = [:]
      for (name, adapter, numbers) in rows {
        guard let beacon = BeaconIdentity(name) else { continue }
        if adapter.isEmpty {
          beacons[beacon, default: LearnedBeacon(beacon: beacon, numbers: [])].numbers = numbers
        } else {
          beacons[beacon, default: LearnedBeacon(beacon: beacon, numbers: [])].levels[adapter] = numbers
        }
      }
      return beacons.values.sorted { $0.beacon < $1.beacon }
    } catch {
      fail(error)
      return nil
    }
  }

  public func save(_ beacons: [LearnedBeacon], at place: String) {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      try database.transaction { () throws(DatabaseError) in
        try database.execute("DELETE FROM beacon")
        let insertion = try database.prepare(
          "INSERT INTO beacon VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .beacon)))")
        for entry in beacons {
          for (adapter, numbers) in [("", entry.numbers)] + entry.levels.sorted(by: { $0.key < $1.key }) {
            try insertion.run(.text(entry.beacon.description), .text(adapter), .text(place), .blob(Self.octets(numbers)))
          }
        }
      }
      logged = nil
    } catch {
      fail(error)
    }
  }
}
