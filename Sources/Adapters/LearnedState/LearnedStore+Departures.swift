import Departures
import Instants
import SQLite
import Wayfinding

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
