import Instants

/// Schedules the deliveries to one target: in order, within the rate limit, and with growing pauses after failures.
///
/// The queue in memory is the front of a longer queue on disk. Deliveries of one lane follow one another: an attempt begins after the one
/// before it was settled. Deliveries of different lanes may be under way at once.
public struct TargetQueue {
  public enum Lanes: Hashable, Sendable {
    /// Each delivery waits for the one before it.
    case one
    /// Each delivery waits for the one before it of the same region; at most `most` are under way at once.
    case perRegion(most: Int)
  }

  public enum Step: Hashable, Sendable {
    case send(Delivery)
    /// The delivery waited too long at a target that fails.
    case giveUp(Delivery)
    /// The event is too old to be useful.
    case passOver(Delivery)
    /// No delivery before that time.
    case wait(until: Instant)
    /// No delivery until one is appended or settled.
    case rest
  }

  public enum Settlement: Hashable, Sendable {
    case done
    /// The delivery is kept for another attempt.
    case again
    /// The delivery was removed from the queue, for this reason.
    case dead(String)
  }

  /// The maximum number of deliveries in memory.
  public static let capacity = 64
  /// The longest pause that a receiver can request.
  static let longestRequest = Span.seconds(86_400)

  public private(set) var lanes: Lanes
  private let giveUpAfter: Span
  private var backoff: Backoff
  private var rate: RateLimit?
  private var items: [Item] = []
  private var resumption: Instant
  private var lastReason = ""

  private struct Item {
    let delivery: Delivery
    var isUnderWay = false
  }

  public init(_ policy: DeliveryPolicy, lanes: Lanes, at now: Instant) {
    self.lanes = lanes
    giveUpAfter = policy.giveUp
    backoff = Backoff(from: policy.firstPause, to: policy.longestPause, jitter: .full)
    rate = policy.perMinute.map { RateLimit(perMinute: $0) }
    resumption = now
  }

  /// The number of deliveries that may still be appended.
  public var room: Int { Self.capacity - items.count }
  /// The id of the last delivery that was ever in memory; the rest of the queue on disk follows it.
  public private(set) var lastID: Int64 = 0
  public var isEmpty: Bool { items.isEmpty }
  /// The number of failures since the last success.
  public var failures: Int { backoff.failures }

  /// Appends deliveries, which must be in order and later than all earlier ones.
  public mutating func append(_ deliveries: [Delivery]) {
    items += deliveries.map { Item(delivery: $0) }
    lastID = deliveries.last?.id ?? lastID
  }

  /// Returns the next step.
  /// A `send` is under way from here on until it is settled. A delivery that is given up or passed over is removed from the queue.
  public mutating func next(at now: Instant) -> Step {
    guard let index = firstFree() else { return .rest }
    let delivery = items[index].delivery
    if backoff.failures > 0, now >= delivery.deadline {
      items.remove(at: index)
      return .giveUp(delivery)
    }
    if now >= delivery.expiry {
      items.remove(at: index)
      return .passOver(delivery)
    }
    guard now >= resumption else { return .wait(until: min(resumption, delivery.deadline, delivery.expiry)) }
    if let allowed = rate?.next(at: now), allowed > now { return .wait(until: allowed) }
    rate?.take(at: now)
    items[index].isUnderWay = true
    return .send(delivery)
  }

  /// Applies the outcome of an attempt.
  public mutating func settle(
    _ id: Int64, _ outcome: DeliveryOutcome, at now: Instant, using random: inout some RandomNumberGenerator
  ) -> Settlement {
    guard let index = items.firstIndex(where: { $0.delivery.id == id }) else { return .done }
    switch outcome {
    case .delivered:
      backoff.reset()
      items.remove(at: index)
      return .done
    case .refused(let reason):
      // A refusal proves that the receiver answers.
      backoff.reset()
      items.remove(at: index)
      return .dead(reason)
    case .failed(let reason, let retryAfter):
      lastReason = reason
      let least = min(retryAfter ?? .zero, Self.longestRequest)
      resumption = max(resumption, now + backoff.next(atLeast: least, using: &random))
      guard now >= items[index].delivery.deadline else {
        items[index].isUnderWay = false
        return .again
      }
      items.remove(at: index)
      return .dead(lateReason)
    }
  }

  /// Ends the pause after a failure. The next failure still causes a longer pause.
  public mutating func endPause(at now: Instant) {
    resumption = min(resumption, now)
  }

  /// The reason for giving up: the time that was allowed, and the last failure.
  public var lateReason: String { "given up after \(giveUpAfter.text): \(lastReason)" }

  /// Returns the index of the first delivery that is not under way and whose lane is free, or `nil` if there is none.
  private func firstFree() -> Int? {
    switch lanes {
    case .one: return items.first?.isUnderWay == false ? 0 : nil
    case .perRegion(let most):
      guard items.count(where: \.isUnderWay) < most else { return nil }
      var busy: Set<String> = []
      return items.firstIndex { item in
        let isFree = !item.isUnderWay && !busy.contains(item.delivery.region)
        busy.insert(item.delivery.region)
        return isFree
      }
    }
  }
}

/// Limits the number of attempts in any minute, wherever the minute begins.
/// Unused attempts can be made at once, but no more than the limit.
///
/// The limit takes eight octets for each attempt that is allowed in a minute, once it was made.
public struct RateLimit: Hashable, Sendable {
  private static let minute = Span.seconds(60)

  private let perMinute: Int
  /// The times of the latest attempts, at most `perMinute`; a ring once it is full.
  private var times: [Instant] = []
  /// The index of the oldest time in a full ring.
  private var oldest = 0

  /// Creates a limit.
  ///
  /// - Parameter perMinute: positive.
  public init(perMinute: Int) {
    self.perMinute = perMinute
  }

  /// Returns when the next attempt is allowed: now or later.
  public func next(at now: Instant) -> Instant {
    times.count < perMinute ? now : max(now, times[oldest] + Self.minute)
  }

  public mutating func take(at now: Instant) {
    if times.count < perMinute {
      times.append(now)
    } else {
      times[oldest] = now
      oldest = (oldest + 1) % perMinute
    }
  }
}
