import Instants

/// Decides what one target gets when: in order, as fast as it may, and after failures with growing pauses.
///
/// It holds the front of a queue that is longer on disk. Deliveries of one lane follow one another, each attempt after the one before was
/// settled; different lanes may be under way at once.
public struct TargetQueue {
  public enum Lanes: Hashable, Sendable {
    /// Every delivery waits for the one before.
    case one
    /// A delivery waits for the one before of its region, and so many are under way at once.
    case perRegion(most: Int)
  }

  public enum Step: Hashable, Sendable {
    case send(Delivery)
    /// It has waited too long at a target that fails.
    case giveUp(Delivery)
    /// It is too old to be of use.
    case passOver(Delivery)
    /// Nothing to do before then.
    case wait(until: Instant)
    /// Nothing to do before something is appended or settled.
    case rest
  }

  public enum Settlement: Hashable, Sendable {
    case done
    /// Kept, to be tried again.
    case again
    /// Taken out of the queue, for this reason.
    case dead(String)
  }

  /// The most deliveries in memory.
  public static let capacity = 64

  public private(set) var lanes: Lanes
  private let giveUpAfter: Span
  private var retries: Retries
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
    retries = Retries(first: policy.firstPause, longest: policy.longestPause)
    rate = policy.perMinute.map { RateLimit(perMinute: $0) }
    resumption = now
  }

  /// How many more may be appended.
  public var room: Int { Self.capacity - items.count }
  /// Where the rest of the queue begins: after the last one that was ever here.
  public private(set) var lastID: Int64 = 0
  public var isEmpty: Bool { items.isEmpty }
  /// Failures since the last success.
  public var failures: Int { retries.failures }

  /// `deliveries` are in order, and later than all that are here.
  public mutating func append(_ deliveries: [Delivery]) {
    items += deliveries.map { Item(delivery: $0) }
    lastID = deliveries.last?.id ?? lastID
  }

  /// What to do now. A `send` is under way from here on until it is settled; what is given up or passed
  /// over is out of the queue.
  public mutating func next(at now: Instant) -> Step {
    guard let index = firstFree() else { return .rest }
    let delivery = items[index].delivery
    if retries.failures > 0, now >= delivery.deadline {
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

  /// What became of an attempt.
  public mutating func settle(
    _ id: Int64, _ outcome: DeliveryOutcome, at now: Instant, using random: inout some RandomNumberGenerator
  ) -> Settlement {
    guard let index = items.firstIndex(where: { $0.delivery.id == id }) else { return .done }
    switch outcome {
    case .delivered:
      retries.succeeded()
      items.remove(at: index)
      return .done
    case .refused(let reason):
      // The receiver is there and answers.
      retries.succeeded()
      items.remove(at: index)
      return .dead(reason)
    case .failed(let reason, let retryAfter):
      lastReason = reason
      resumption = max(resumption, now + retries.failed(retryAfter: retryAfter, using: &random))
      guard now >= items[index].delivery.deadline else {
        items[index].isUnderWay = false
        return .again
      }
      items.remove(at: index)
      return .dead(lateReason)
    }
  }

  /// Ends the pause after a failure. The next failure is followed by a longer one all the same.
  public mutating func endPause(at now: Instant) {
    resumption = min(resumption, now)
  }

  /// Why something is given up: the time it had, and the last failure.
  public var lateReason: String { "given up after \(giveUpAfter.text): \(lastReason)" }

  /// The first that is not under way and whose lane is free.
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
