import IndoorPositioning
import Logging
import Monitoring
import Records
import SQLite

/// The file `state.db` of what the daemon has learned and done.
///
/// It has offsets of receivers, evidence about misplaced beacons, calibrations, and the advice that was given for appointments.
/// Everything in it can be learned again, or is worth little after a day, so a file that cannot be read is moved aside, and a damaged row
/// is skipped.
public final class LearnedStore {
  private let path: String
  private let log: Logger
  private var connection: (database: Database, checks: RowChecks)?
  var stored: [LearnedReceiver] = []
  /// The evidence that is stored, by venue.
  var storedPlacements: [String: [PlacementEvidence]] = [:]
  /// The refused offsets that are stored.
  var storedRefusals: Set<RefusedOffset> = []
  /// Whether the file has been read. A file that could be opened only later keeps the receivers that are learned there alone.
  var isRead = false
  /// The failure in the last log line.
  var logged: String?

  /// - Parameter path: the path of the file; its folder must exist.
  public init(path: String, log: Logger) {
    self.path = path
    self.log = log
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

  func read(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    stored = try Self.receivers(database, checks)
    storedPlacements = try Self.placements(database, checks)
    storedRefusals = try Self.refusals(database, checks)
    isRead = true
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
    log.warning(
      "\(path) is damaged (\(names)): \(Count.text(count, "row was", plural: "rows were")) removed; lost values are learned again")
  }

  func fail(_ error: DatabaseError) {
    let text = "\(path): \(error.message); learned offsets and the advice for appointments are kept in memory until the file can be written"
    guard logged != text else { return }
    logged = text
    log.warning("\(text)")
  }
}
