import Instants

/// Asks the broker regularly whether it takes messages, and notes when that changes. Every worker has a watch.
public struct AlarmWatch {
  /// The pause between two questions.
  static let pause = Span.seconds(3)

  private let clock: any IngestClock
  private let outages: any OutageLog
  private let ask: () throws -> String?
  private let report: (String) -> Void

  /// - Parameters:
  ///   - ask: returns the resource that the broker lacks, such as `disk`; nil if it takes messages
  ///   - report: prints a line of the log
  public init(clock: any IngestClock, _ outages: any OutageLog, ask: @escaping () throws -> String?, report: @escaping (String) -> Void) {
    (self.clock, self.outages, self.ask, self.report) = (clock, outages, ask, report)
  }

  /// Runs until `isStopped` returns true after a question.
  public func run(until isStopped: () -> Bool, pause: (Span) -> Void) {
    // A worker that ended may have left an outage open, so that the first answer is noted in any case.
    var (alarm, raised, changed, isNoted) = (String?.none, clock.uptime, clock.uptime, false)
    repeat {
      // The sessions of the worker report a broker that does not answer. Its alarm is unknown then.
      if case .success(let answer) = Result(catching: ask) {
        if answer != alarm {
          (changed, isNoted) = (clock.uptime, false)
          if alarm == nil { raised = changed }
          report(
            answer.map { "the broker takes no messages, because it is low on \($0); devices keep theirs" }
              ?? "the broker takes messages again, after \(Int((changed - raised).seconds)) s")
          alarm = answer
        }
        // The database may be down or full as well.
        if !isNoted { isNoted = (try? outages.note(alarm: alarm, for: clock.uptime - changed)) != nil }
      }
      pause(Self.pause)
    } while !isStopped()
  }
}
