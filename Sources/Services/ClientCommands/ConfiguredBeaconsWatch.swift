import Beacons
import Failures
import Instants
import Scheduling

/// Follows the beacons of the configuration, for a program that ranges them: a reload can change them.
public final class ConfiguredBeaconsWatch {
  static let interval = Span.seconds(10)

  /// Asks the daemon for the beacons of its regions and venues; nil if it does not answer.
  public typealias Question = (_ answer: @escaping ([BeaconConstraint]?) -> Void) -> Void

  /// Receives other beacons than before.
  public var onChange: ([BeaconConstraint]) -> Void = { _ in }
  /// Receives a sentence for the user.
  public var onNote: (String) -> Void = { _ in }
  public var onEnd: (Failure) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let most: Int
  private var ask: Question?
  private var constraints: [BeaconConstraint] = []
  private var timer: (any SchedulerTimer)?

  /// - Parameter most: the largest number of constraints that a session can range.
  public init(_ scheduler: any Scheduler, most: Int) {
    (self.scheduler, self.most) = (scheduler, most)
    timer = scheduler.timer { [unowned self] in look() }
  }

  /// Asks now, and then periodically. Call when a daemon is available.
  public func begin(_ ask: @escaping Question) {
    self.ask = ask
    look()
  }

  /// Stops asking until the next `begin`, and keeps the present beacons.
  public func pause() { timer?.arm(at: .never) }

  private func look() {
    ask? { [weak self] found in
      guard let self else { return }
      timer?.arm(at: scheduler.now + Self.interval)
      take(found)
    }
  }

  private func take(_ found: [BeaconConstraint]?) {
    guard let found else { return onNote("beaconmond does not answer; asking again in \(Int(Self.interval.seconds)) s") }
    guard !found.isEmpty else {
      // A daemon that has just started may not have them yet.
      guard constraints.isEmpty else { return }
      return onEnd(
        Failure(
          .usage,
          "no UUID is given, and beaconmond shows you no region of beacons and no venue; name a UUID, which \"beaconmon scan\" lists"))
    }
    guard Set(found) != Set(constraints) else { return }
    guard found.count <= most else {
      return onEnd(Failure(.usage, "the configuration has \(found.count) UUIDs, more than \(most); name one of them"))
    }
    constraints = found
    onChange(found)
  }
}
