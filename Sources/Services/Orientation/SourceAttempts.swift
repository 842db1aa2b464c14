import Instants

/// The times at which a source that was lost is tried again, or a better one in place of the one that is on.
struct SourceAttempts {
  /// A source that sends samples for this long works.
  private static let proof = Span.seconds(5)
  /// The interval of the search for a better source that is not present.
  private static let interval = Span.seconds(10)

  /// The time of the next attempt; never while the preferred source is on.
  private(set) var next = Instant.never

  /// The pauses after a loss.
  private var retries = Backoff(from: .seconds(1), to: .seconds(30))
  /// The pauses before a better source is tried, which grow while it fails.
  private var preferences = Backoff(from: .seconds(10), to: .seconds(600))
  /// The first measurement of the source that is on.
  private var begin: Instant?

  /// Whether the source that is on has sent nothing yet.
  var isSilent: Bool { begin == nil }

  /// Notes the start of a source.
  mutating func start(isPreferred: Bool, at now: Instant) {
    begin = nil
    var random = SystemRandomNumberGenerator()
    next = isPreferred ? .never : now + preferences.next(using: &random)
  }

  /// Notes that no source works.
  mutating func fail(at now: Instant) {
    var random = SystemRandomNumberGenerator()
    next = now + retries.next(using: &random)
  }

  /// Notes a search for a better source.
  mutating func search(at now: Instant) { next = now + Self.interval }

  /// Notes a measurement, and returns whether the source has been working for a while, so that its failures are forgotten.
  mutating func measure(isPreferred: Bool, at now: Instant) -> Bool {
    let begin = begin ?? now
    self.begin = begin
    guard now - begin >= Self.proof else { return false }
    retries.reset()
    if isPreferred { preferences.reset() }
    return true
  }
}
