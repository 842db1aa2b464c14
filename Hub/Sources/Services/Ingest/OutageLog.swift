import Instants

/// Notes the times in which the database or the broker takes nothing.
public protocol OutageLog {
  /// Returns whether an error means that the disk of the database is full.
  func isOfFullDisk(_ error: any Error) -> Bool
  /// Shows that the disk of the database has been full for this time, until the result is released. It writes nothing.
  func showFullDisk(for time: Span) throws -> any OutageSign
  /// Stores that the disk of the database was full for this time, which ends now.
  ///
  /// - Parameter gap: an outage that ended less than this time before the start of this one is the same one
  func storeFullDisk(for time: Span, joining gap: Span) throws
  /// Notes the alarm for which the broker takes no messages, and since when; nil if it takes them.
  ///
  /// - Parameter time: the time since the alarm or its end was noticed
  func note(alarm: String?, for time: Span) throws
}

/// The sign by which others see an outage while it is held.
public protocol OutageSign: AnyObject {
  /// Throws if the sign has gone, as after a restart of the database.
  func check() throws
}
