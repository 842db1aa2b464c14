import Headings
import Instants
import Orientation
import SQLite

extension LearnedStore: CalibrationFile {
  /// The numbers of a calibration: offset, matrix, strength, that of the place, inclination, and covariance.
  private static let calibrationCount = 3 + 9 + 3 + 144

  public func loadCalibrations() -> [StoredCalibration]? {
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      return try database.prepare(
        "SELECT device, time, residual, numbers FROM calibration WHERE \(checks.isIntact(.calibration)) ORDER BY time DESC"
      )
      .all { row in Self.calibration(row) }
      .compactMap(\.self)
    } catch {
      fail(error)
      return nil
    }
  }

  public func save(_ stored: StoredCalibration, most: Int) -> Bool {
    let known = stored.calibration
    let offset = [known.offset.x, known.offset.y, known.offset.z]
    let numbers =
      offset + known.matrix.rowMajor + [known.strength, known.strengthOfPlace ?? .nan, known.sineOfInclination ?? .nan]
      + known.storedCovariance
    do throws(DatabaseError) {
      let (database, checks) = try opened()
      // The rows of other devices stay, although this process may not have been able to read them.
      try database.transaction { () throws(DatabaseError) in
        try database.prepare("DELETE FROM calibration WHERE device = ?1").run(.text(stored.device))
        try database.prepare(
          """
          DELETE FROM calibration WHERE device NOT IN
            (SELECT device FROM calibration ORDER BY \(checks.isIntact(.calibration)) DESC, time DESC LIMIT ?1)
          """
        )
        .run(.integer(Int64(max(0, most - 1))))
        try database.prepare("INSERT INTO calibration VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .calibration)))")
          .run(
            .text(stored.device), .integer(stored.time?.microseconds ?? Self.unknownTime), .real(known.residual),
            .blob(Self.octets(numbers)))
      }
      logged = nil
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// The time in the row of a calibration that was stored while the clock was not set.
  private static let unknownTime: Int64 = 0

  /// Returns nil for a row whose numbers are not a calibration.
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
    .map { StoredCalibration(device: device, time: time == unknownTime ? nil : Instant(microseconds: time), $0) }
  }
}
