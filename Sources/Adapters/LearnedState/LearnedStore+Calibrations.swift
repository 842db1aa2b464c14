import Headings
import Instants
import Orientation
import SQLite

extension LearnedStore: CalibrationFile {
  /// The numbers of a calibration: offset, matrix, strength, that of the place, inclination, and covariance.
  private static let calibrationCount = 3 + 9 + 3 + 144

  public func loadCalibrations() -> [StoredCalibration] {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      return try database.prepare(
        "SELECT device, time, residual, numbers FROM calibration WHERE \(checks.isIntact(.calibration)) ORDER BY time DESC"
      )
      .all { row in Self.calibration(row) }
      .compactMap(\.self)
    } catch {
      fail(error)
      return []
    }
  }

  public func save(_ calibrations: [StoredCalibration]) {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      try database.transaction { () throws(DatabaseError) in
        try database.execute("DELETE FROM calibration")
        let insertion = try database.prepare(
          "INSERT INTO calibration VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .calibration)))")
        for stored in calibrations {
          let known = stored.calibration
          let offset = [known.offset.x, known.offset.y, known.offset.z]
          let numbers =
            offset + known.matrix.rowMajor + [known.strength, known.strengthOfPlace ?? .nan, known.sineOfInclination ?? .nan]
            + known.storedCovariance
          try insertion.run(
            .text(stored.device), .integer(stored.time.microseconds), .real(known.residual), .blob(Self.octets(numbers)))
        }
      }
      logged = nil
    } catch {
      fail(error)
    }
  }

  /// Returns nil for a row whose numbers are no calibration.
  private static func calibration(_ row: borrowing Row) -> StoredCalibration? {
    let numbers = numbers(row.blob(3) ?? [])
    guard let device = row.text(0), let time = row.integer(1), let residual = row.real(2), numbers.count == calibrationCount,
      let matrix = SpaceMatrix(rowMajor: Array(numbers[3..<12]))
    else { return nil }
    func known(_ number: Double) -> Double? { number.isNaN ? nil : number }
    return MagneticCalibration(
      offset: SpaceVector(numbers[0], numbers[1], numbers[2]), matrix: matrix, strength: numbers[12], strengthOfPlace: known(numbers[13]),
      sineOfInclination: known(numbers[14]), residual: residual, covariance: Array(numbers[15...])
    )
    .map { StoredCalibration(device: device, time: Instant(microseconds: time), $0) }
  }
}
