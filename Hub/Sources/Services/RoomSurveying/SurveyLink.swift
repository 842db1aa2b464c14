import Instants

/// The link of an installer to the database, which is opened again if it breaks during a walk.
final class SurveyLink {
  /// The maximum number of repetitions of a call.
  ///
  /// The pauses before them add up to about 40 s: a server has started again by then.
  static let mostRepetitions = 7

  private let connect: () throws -> any SurveyStore
  private let terminal: any SurveyTerminal
  private let clock: any SurveyClock
  private var store: (any SurveyStore)?
  private var hasConnected = false

  init(_ connect: @escaping () throws -> any SurveyStore, _ terminal: any SurveyTerminal, _ clock: any SurveyClock) {
    (self.connect, self.terminal, self.clock) = (connect, terminal, clock)
  }

  /// Calls a function with the database, again and on a new link after an error that may pass.
  ///
  /// The function must be safe to run twice. The first link is tried only once.
  ///
  /// - Throws: the last error of the database.
  func run<Result>(_ work: (any SurveyStore) throws -> Result) throws -> Result {
    var backoff = Backoff(from: .seconds(1), to: .seconds(8))
    while true {
      do {
        let store = try store ?? connect()
        (self.store, hasConnected) = (store, true)
        return try work(store)
      } catch let error as any SurveyStoreError {
        // After most errors the link cannot be used again.
        store = nil
        guard hasConnected, error.isTemporary, backoff.failures < Self.mostRepetitions else { throw error }
        let wait = backoff.next()
        terminal.show("\(error); connects again in \(Int(wait.seconds.rounded(.up))) s")
        clock.pause(wait)
      }
    }
  }
}
