/// A room with a stored survey, and when the survey was made.
public struct SurveyedRoom: Hashable, Sendable {
  public var room: String
  /// The beginning of the walk in UTC, such as `2026-11-20 09:00`.
  public var time: String

  public init(room: String, time: String) { (self.room, self.time) = (room, time) }
}
