public import FleetRollouts
public import Instants

/// A link to the database for rollouts. A call that throws makes the link unusable.
public protocol RolloutStore: AnyObject {
  /// Begins a transaction that excludes those of other processes; false if one of these is at work.
  func begin() throws -> Bool
  func commit() throws
  /// Copies the states that devices have reported, and returns the rollouts that are in progress.
  func active() throws -> [RolloutProgress]
  /// Returns the devices of a rollout.
  func observe(_ revision: Int64) throws -> RolloutObservation
  /// Stores the progress of a rollout. If it has ended, the messages that no device has acknowledged are deleted.
  func write(_ progress: RolloutProgress) throws
  /// Writes messages to devices of a rollout that have to get it, and returns their number.
  func send(_ revision: Int64, limit: Int) throws -> Int
}

/// Advances rollouts periodically, and continues after failures.
///
/// Every worker has a job. Each step is one transaction, so a process that is killed leaves nothing half-done, and another one continues.
public struct RolloutJob {
  /// The pause between two steps, and after a failure.
  static let pause = Span.seconds(5)
  /// The maximum number of messages that one step writes for a rollout. Further ones follow without a pause.
  static let mostMessages = 200

  private let connect: () throws -> any RolloutStore
  private let report: (String) -> Void

  /// - Parameters:
  ///   - connect: opens a link, at the start and after each failure
  ///   - report: prints a line of the log
  public init(connect: @escaping () throws -> any RolloutStore, report: @escaping (String) -> Void) {
    (self.connect, self.report) = (connect, report)
  }

  /// Runs until `isStopped` returns true after a step.
  public func run(until isStopped: () -> Bool, pause: (Span) -> Void) {
    var link: (any RolloutStore)?
    var reported = ""
    repeat {
      var isMore = false
      var failure = ""
      do {
        let store = try link ?? connect()
        link = store
        isMore = try step(store)
      } catch {
        // The state of a link is unknown after a failure.
        (link, failure) = (nil, "\(error)")
      }
      // The same failure repeats until its cause is gone.
      if failure != reported { report(failure.isEmpty ? "rollouts work again" : "rollouts: \(failure); tries again") }
      reported = failure
      if !isMore { pause(Self.pause) }
    } while !isStopped()
  }

  /// Advances all rollouts, and returns whether messages are left to write.
  private func step(_ store: any RolloutStore) throws -> Bool {
    guard try store.begin() else { return false }
    var isMore = false
    for former in try store.active() {
      var progress = former
      progress.advance(try store.observe(former.revision))
      if progress != former { try store.write(progress) }
      if progress.phase != former.phase {
        report("rollout \(progress.revision): \(progress.phase.rawValue)\(progress.reason.isEmpty ? "" : ", \(progress.reason)")")
      }
      if progress.phase.isActive, try store.send(progress.revision, limit: Self.mostMessages) == Self.mostMessages { isMore = true }
    }
    try store.commit()
    return isMore
  }
}
