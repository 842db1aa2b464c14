import Instants

/// Whether a client takes what it is sent, as its answers to pings tell. Instants in, verdicts out.
///
/// The bus would queue for a client that does not read until it has no memory left, and what it queues for one it soon does not take for the others: so at
/// most `window` octets of snapshots are on their way to a client, and twice that with its events. One ping is unanswered at a time, and there is none while nothing is sent.
struct ClientPulse {
  /// Between pings, unless much is sent.
  static let interval = Span.seconds(3)
  /// An unanswered ping is so old: a snapshot would be stale when it is read.
  static let staleAfter = Span.seconds(5)
  static let lostAfter = Span.seconds(30)
  /// While a ping is unanswered: two changes of all regions that its user may have. A receiver that goes changes all of them in one instant, and no client
  /// could have read any by then.
  static let mostEvents = 2 * SessionLimits.regionsPerUser
  static let window = 1 << 20

  enum Verdict: Equatable {
    /// And then a ping, if so.
    case send(asking: Bool)
    /// Until the ping is answered.
    case wait
    case leaveOut
    /// It is lost, for this reason.
    case end(String)
  }

  /// When the ping was sent that is not answered yet.
  private var asked: Instant?
  private var lastAsked: Instant?
  private var events = 0
  /// Octets since the last ping that was answered, and how many of them came after the one that is not.
  private var unconfirmed = 0
  private var sinceAsked = 0

  mutating func snapshot(of octets: Int, at time: Instant) -> Verdict {
    if let asked {
      if isLost(at: time) { return .end(Self.silence) }
      if time - asked >= Self.staleAfter { return .leaveOut }
      if unconfirmed > 0, unconfirmed + octets > Self.window { return .wait }
    }
    return send(octets, at: time)
  }

  /// Events are never left out.
  mutating func event(of octets: Int, at time: Instant) -> Verdict {
    if asked != nil {
      events += 1
      if isLost(at: time) { return .end(Self.silence) }
      if events > Self.mostEvents || unconfirmed + octets > 2 * Self.window {
        return .end("its client left \(events - 1) events unread")
      }
    }
    return send(octets, at: time)
  }

  mutating func answered() {
    asked = nil
    events = 0
    unconfirmed = sinceAsked
    sinceAsked = 0
  }

  func isLost(at time: Instant) -> Bool { asked.map { time - $0 >= Self.lostAfter } ?? false }

  static var silence: String { "its client has not read for \(lostAfter.text)" }

  private mutating func send(_ octets: Int, at time: Instant) -> Verdict {
    unconfirmed += octets
    guard asked == nil else {
      sinceAsked += octets
      return .send(asking: false)
    }
    guard unconfirmed > Self.window / 2 || lastAsked.map({ time - $0 >= Self.interval }) ?? true else { return .send(asking: false) }
    (asked, lastAsked) = (time, time)
    return .send(asking: true)
  }
}
