import ClientSessions
import Instants

/// Liveness of one client: its answers to pings show whether it reads its signals. Takes instants and returns verdicts.
///
/// The bus queues signals for a client that does not read until the bus runs out of memory. Soon it also refuses signals for
/// other clients. Therefore at most `window` octets of snapshots are unread by a client, and twice that with its events.
/// At most one ping is unanswered at a time, and an idle connection is not pinged.
struct ClientLiveness {
  /// Time between pings, unless `window / 2` octets are unconfirmed earlier.
  static let interval = Span.seconds(3)
  /// Age of an unanswered ping from which a snapshot would be stale when the client reads it.
  static let staleAfter = Span.seconds(5)
  static let lostAfter = Span.seconds(30)
  /// Maximum number of events while a ping is unanswered: two changes of all regions that the user may have.
  ///
  /// A failing receiver changes all regions in one instant, before any client can read an event.
  static let mostEvents = 2 * SessionLimits.regionsPerUser
  static let window = 1 << 20

  enum Verdict: Equatable {
    /// Sends the signal, and then a ping if `asking` is true.
    case send(asking: Bool)
    /// Waits until the client answers the ping.
    case wait
    case drop
    /// Stops the client's sessions, for this reason.
    case end(String)
  }

  /// The time of the unanswered ping; nil if none is unanswered.
  private var asked: Instant?
  private var lastAsked: Instant?
  private var events = 0
  /// Octets since the last answered ping, and in `sinceAsked` those of them that followed the unanswered ping.
  private var unconfirmed = 0
  private var sinceAsked = 0

  mutating func snapshot(of octets: Int, at time: Instant) -> Verdict {
    if let asked {
      if isLost(at: time) { return .end(Self.silence) }
      if time - asked >= Self.staleAfter { return .drop }
      if unconfirmed > 0, unconfirmed + octets > Self.window { return .wait }
    }
    return send(octets, at: time)
  }

  /// Returns a verdict for an event, which is never dropped: never `drop` or `wait`.
  mutating func event(of octets: Int, at time: Instant) -> Verdict {
    if asked != nil {
      events += 1
      if isLost(at: time) { return .end(Self.silence) }
      if events > Self.mostEvents || unconfirmed + octets > 2 * Self.window {
        return .end("the client left \(events - 1) events unread")
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

  static var silence: String { "the client has not read for \(lostAfter.text)" }

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
