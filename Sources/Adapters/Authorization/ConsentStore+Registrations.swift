import Consent
import Instants
import SQLite

// MARK: Registrations

extension ConsentStore {
  /// Returns the registrations in the order in which they were added.
  public func registrations() throws(DatabaseError) -> [Registration] {
    try database.prepare(
      "SELECT user, app, identifier, purpose, definition, time FROM registration WHERE \(checks.isIntact(.registration)) ORDER BY time, identifier"
    ).all { row in
      Registration(row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.integer(5))
    }.compactMap(\.self)
  }

  /// Adds a registration, or replaces the one with the same user, app and identifier.
  public func add(_ registration: Registration) throws(DatabaseError) {
    try requireWritable()
    let values = "?1, ?2, ?3, ?4, ?5, ?6"
    try database.prepare("INSERT OR REPLACE INTO registration VALUES (\(values), \(checks.checksum(of: values, in: .registration)))").run(
      .integer(Int64(registration.user)), .text(registration.app.description), .text(registration.identifier),
      .text(registration.purpose.description), .text(registration.definition), .integer(registration.time.microseconds))
  }

  /// - Parameter identifier: the identifier of the region; `nil` removes all regions of the app.
  public func removeRegistrations(of app: AppID, user: UInt32, identifier: String? = nil) throws(DatabaseError) {
    try requireWritable()
    try database.prepare("DELETE FROM registration WHERE user = ?1 AND app = ?2 AND (?3 IS NULL OR identifier = ?3)").run(
      .integer(Int64(user)), .text(app.description), .text(identifier))
  }
}

extension Registration {
  /// Returns `nil` for an invalid row, which was written by hand.
  fileprivate init?(_ user: Int64?, _ app: String?, _ identifier: String?, _ purpose: String?, _ definition: String?, _ time: Int64?) {
    guard let user = user.flatMap({ UInt32(exactly: $0) }), let app = app.flatMap(AppID.init), let identifier,
      let purpose = purpose.flatMap(Purpose.init), let definition, let time
    else { return nil }
    self.init(
      user: user, app: app, identifier: identifier, purpose: purpose, definition: definition, time: Instant(microseconds: time))
  }
}
