/// A step of the schema. Its number is its place in `Migration.all`, from 1 on.
public struct Migration: Sendable {
  public var name: String
  /// The statements that apply the step.
  public var up: String
  /// The statements that undo the step.
  public var down: String
  /// The rows and values that `down` discards, and that nothing restores.
  public var discards: [DiscardedData]

  public init(name: String, up: String, down: String, discards: [DiscardedData] = []) {
    (self.name, self.up, self.down, self.discards) = (name, up, down, discards)
  }

  /// The steps of the schema. A released step never changes.
  public static let all: [Migration] = [
    .ingest, .rooms, .people, .fence, .downlink, .retention, .refusedEvents, .alerts, .sharing, .expiry,
    .noticeOrder, .rollouts, .sharingRights, .enrolments, .surveys, .corrections,
    .venues, .outages, .findings, .reportNumberings, .lateMessages,
  ]
}
