public import Instants
public import Retention

/// A link to the database for the expiry. A call that throws makes the link unusable.
public protocol RetentionStore: AnyObject {
  /// Makes this link the one that expires data until it is closed; returns false if another link is.
  func claim() throws -> Bool
  /// Returns the time of the database's clock since the Unix epoch.
  func time() throws -> Instant
  /// Removes some of the expired data of a kind; returns false if there is none.
  func expire(_ kind: RetentionKind) throws -> Bool
  /// Notes the end of a run, for `beaconmon-hub status`.
  func note(_ kind: RetentionKind, failure: String?) throws
}

/// Removes expired data periodically, and continues after failures.
///
/// Every worker has a job. The database lets one of them work at a time, and another job takes over when that one has gone.
public struct RetentionJob {
  /// The pauses after a run without and with a failure.
  static let (pause, pauseAfterFailure) = (Span.seconds(60), Span.seconds(10))
  /// The maximum number of steps of a kind in a run, so that a large backlog of one kind does not delay the others.
  static let mostSteps = 1000

  /// The largest difference between the clocks of the database and of this machine.
  ///
  /// A clock that jumps must not delete data.
  static let largestDifference = Span.seconds(300)

  private let connect: () throws -> any RetentionStore
  private let wallTime: () -> Instant
  private let report: (String) -> Void

  /// - Parameters:
  ///   - connect: opens a link; it is called at least once for each run
  ///   - wallTime: returns the time of this machine's clock since the Unix epoch
  ///   - report: prints a line of the log
  public init(
    connect: @escaping () throws -> any RetentionStore, wallTime: @escaping () -> Instant, report: @escaping (String) -> Void
  ) {
    (self.connect, self.wallTime, self.report) = (connect, wallTime, report)
  }

  /// Runs until `isStopped` returns true after a pause.
  public func run(until isStopped: () -> Bool, pause: (Span) -> Void) {
    var reported = ""
    repeat {
      let failures = runOnce()
      let text = failures.joined(separator: "; ")
      // The same failure repeats until its cause is gone.
      if text != reported { report(text.isEmpty ? "retention works again" : "retention: \(text); tries again") }
      reported = text
      pause(failures.isEmpty ? Self.pause : Self.pauseAfterFailure)
    } while !isStopped()
  }

  /// Removes what has expired now, and returns the failures.
  private func runOnce() -> [String] {
    var failures: [String] = []
    var link: (any RetentionStore)?
    for kind in RetentionKind.allCases {
      do {
        guard let store = try link ?? claimed() else { return failures }
        link = store
        do {
          if let failure = clockFailure(try store.time()) {
            if failures.last != failure { failures.append(failure) }
            try store.note(kind, failure: failure)
            continue
          }
          var steps = 0
          while steps < Self.mostSteps, try store.expire(kind) { steps += 1 }
          try store.note(kind, failure: nil)
        } catch {
          // The state of a link is unknown after a failure.
          link = nil
          failures.append("\(kind.name): \(error)")
          link = try claimed()
          try link?.note(kind, failure: "\(error)")
        }
      } catch {
        return failures + ["\(error)"]
      }
    }
    return failures
  }

  /// Returns why nothing may expire while the database has this time; nil if the clocks agree.
  private func clockFailure(_ time: Instant) -> String? {
    let difference = time - wallTime()
    guard difference > Self.largestDifference || difference < .zero - Self.largestDifference else { return nil }
    let side = difference > .zero ? "ahead of" : "behind"
    return "the clock of the database is more than 5 minutes \(side) that of the worker; set the wrong one"
  }

  private func claimed() throws -> (any RetentionStore)? {
    let store = try connect()
    return try store.claim() ? store : nil
  }
}
