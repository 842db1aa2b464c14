import Instants

/// Notes the times in which the database or the broker takes nothing.
public protocol OutageLog: AnyObject {
  /// Notes the error that ended a session, and returns whether it means that the disk of the database is full.
  func note(_ error: any Error) -> Bool
  /// Notes that the database stores again. Returns the time for which its disk was full; nil if it was not.
  func end() throws -> Span?
  /// Notes the alarm for which the broker takes no messages, and since when; nil if it takes them.
  ///
  /// - Parameter time: the time since the alarm or its end was noticed
  func note(alarm: String?, for time: Span) throws
}
