import Instants
import Motion

/// Decides when the sensors of motion are searched for, and collects the samples of another reader in place of theirs.
///
/// A chip whose buffer is on has one reader, so its samples are shared by the source of headings.
public struct MotionSensorPlan {
  public enum Step: Hashable {
    /// Ends the own reading and searches for sensors, whose result is noted with `begin`, `wait` or `pause`.
    case search
    /// Ends the own reading.
    case end
    /// Delivers samples of the other reader.
    case deliver([MotionSample])
  }

  private enum State {
    case off
    /// No sensors are read.
    case waiting
    /// Own sensors are read, which may have sent nothing yet.
    case reading(isProven: Bool)
    /// Another reader shares its samples.
    case sharing
  }

  /// The silence after which the devices are searched for again.
  private static let patience = Span.seconds(3)
  /// The pause between two searches that found nothing that works.
  private static let pause = Span.seconds(30)

  /// The time at which `expire` is due.
  public private(set) var deadline = Instant.never
  private var state = State.off
  /// The samples of the other reader that are not delivered yet.
  private var shared: [MotionSample] = []
  private let batch: Span

  /// - Parameter batch: the time whose shared samples are delivered together.
  public init(batch: Span) {
    self.batch = batch
  }

  public mutating func switchOn() -> Step {
    state = .waiting
    return .search
  }

  public mutating func switchOff() { enter(.off, until: .never) }

  // MARK: Own sensors

  /// Notes that sensors were found and are read.
  public mutating func begin(at now: Instant) { enter(.reading(isProven: false), until: now + Self.patience) }

  /// Notes that there is no sensor, and that its arrival will be noticed.
  public mutating func wait() { enter(.waiting, until: .never) }

  /// Notes that no sensor can be read now.
  public mutating func pause(at now: Instant) { enter(.waiting, until: now + Self.pause) }

  /// Notes samples of the own sensors with an acceleration.
  public mutating func takeSamples(at now: Instant) { enter(.reading(isProven: true), until: now + Self.patience) }

  /// Decides after a device has come or gone.
  ///
  /// - Parameter areOthers: whether a search would find other sensors than those that are read.
  public func changeDevices(areOthers: @autoclosure () -> Bool) -> Step? {
    switch state {
    case .waiting: .search
    case .reading: areOthers() ? .search : nil
    case .off, .sharing: nil
    }
  }

  /// Decides at the deadline.
  public mutating func expire(at now: Instant) -> Step? {
    guard now >= deadline else { return nil }
    guard case .reading(isProven: false) = state else { return .search }
    // The same sensors would be found again.
    pause(at: now)
    return .end
  }

  // MARK: The samples of another reader

  /// Takes a sample that another reader shares.
  public mutating func take(shared sample: MotionSample, at now: Instant) -> Step? {
    switch state {
    case .off: return nil
    case .waiting, .reading:
      // A gyroscope alone does not show rest.
      guard case .acceleration = sample.value else { return nil }
      enter(.sharing, until: now + Self.patience)
      shared = [sample]
      return .end
    case .sharing:
      shared.append(sample)
      guard let first = shared.first, sample.time - first.time >= batch else { return nil }
      let samples = shared
      enter(.sharing, until: now + Self.patience)
      return .deliver(samples)
    }
  }

  /// Decides after the other reader has ended.
  public func endSharing() -> Step? { if case .sharing = state { .search } else { nil } }

  private mutating func enter(_ state: State, until deadline: Instant) {
    (self.state, self.deadline, shared) = (state, deadline, [])
  }
}
