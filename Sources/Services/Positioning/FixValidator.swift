import Instants
import Locations
import Records
import Scheduling

/// Validates and counts the readings of a source, and tracks its health.
public final class FixValidator {
  public private(set) var health = LocationHealth(.off)
  /// Whether the source is on, which it is from `begin` to `end`.
  public var isOn: Bool { health.state != .off }
  public private(set) var counts = LocationCounts()
  private var compass = Compass()
  /// Receives each valid fix.
  public var onLocation: (Location) -> Void = { _ in }
  /// Receives each heading of the compass.
  public var onHeading: (HeadingReading) -> Void = { _ in }
  /// Receives the health after it has changed.
  public var onHealthChange: (LocationHealth) -> Void = { _ in }

  private let source: Location.Source
  private let clock: () -> Receipt
  private let pace: Pace
  /// The reason why there is no fix.
  private var miss: LocationHealth?
  private let scheduler: any Scheduler
  private var timer: (any SchedulerTimer)?

  /// The time after which a source is silent. Receivers send every second, some every five.
  public static let patience = Span.seconds(10)

  public enum Pace: Hashable, Sendable {
    /// A source that reports continuously, and is silent after this time without a report.
    case steady(Span)
    /// A source that reports changes, and is silent if the first report does not arrive within this time.
    case onChange(Span)
    /// A source on the clock of a recording, which is never late.
    case played
  }

  /// - Parameter clock: returns the clocks at the reception of a reading.
  public init(_ scheduler: any Scheduler, _ source: Location.Source, _ pace: Pace, clock: @escaping () -> Receipt) {
    self.scheduler = scheduler
    self.source = source
    self.pace = pace
    self.clock = clock
    timer = scheduler.timer { [unowned self] in timeOut() }
  }

  /// Call when the source was switched on or has returned.
  public func begin() {
    miss = nil
    compass = Compass()
    expect()
    change(to: LocationHealth(.starting))
  }

  /// Call after a request; the source becomes silent without a fix in time.
  public func expect() {
    switch pace {
    case .steady(let limit), .onChange(let limit): timer?.arm(at: scheduler.now + limit)
    case .played: break
    }
  }

  /// Call when the source was switched off.
  public func end() {
    timer?.arm(at: .never)
    compass = Compass()
    change(to: LocationHealth(.off))
  }

  /// Call when the source is unusable or unavailable.
  public func fail(_ state: LocationHealth.State, _ reason: String) {
    timer?.arm(at: .never)
    compass = Compass()
    change(to: LocationHealth(state, reason))
  }

  /// Takes a report of one epoch.
  public func take(_ report: SourceReport) {
    switch report {
    case .reading(let reading): take(reading)
    case .heading(let reading):
      compass.take(reading, at: clock().instant)
      onHeading(reading)
      if miss == nil { miss = LocationHealth(.silent, "it reports a heading but no position") }
    case .searching(let satellites, _):
      note(LocationHealth(.silent, "it has no fix; give it a clear view of the sky", detail: satellites.words))
    }
  }

  /// Takes a reading of a source that sends nothing else.
  public func take(_ reading: LocationReading) {
    let location: Location
    do throws(LocationRefusal) { location = try Location(reading, from: source, at: clock()) } catch {
      counts.refused.count(error)
      return note(LocationHealth(.silent, "its fixes are refused: \(error.words)"))
    }
    guard location.isCurrent(at: location.received) else {
      counts.stale += 1
      let old = LocationHealth(.silent, "its fixes are too old when they arrive; check the clock of this device")
      // The first report after a start may be an old one.
      if health.state == .starting { miss = old } else { note(old) }
      return
    }
    counts.fixes += 1
    miss = nil
    switch pace {
    case .steady(let limit): timer?.arm(at: scheduler.now + limit)
    case .onChange, .played: timer?.arm(at: .never)
    }
    change(to: LocationHealth(.fixing))
    onLocation(location)
  }

  /// Call when the source sends more than is read. This matters only without a fix.
  public func noteFlood() {
    note(LocationHealth(.silent, "it sends more data than any receiver, so reading is limited; check that it is a receiver"))
  }

  /// Records a report without a fix.
  private func note(_ miss: LocationHealth) {
    self.miss = miss
    // A single missing epoch does not change the health.
    if health.state != .fixing { change(to: miss) }
  }

  private func timeOut() {
    change(to: miss ?? LocationHealth(.silent, "it sends no data"))
  }

  /// The heading; nil without a compass or without a recent reading.
  public var heading: HeadingReport? { compass.report(at: clock().instant, patience: Self.patience) }

  /// A report that comes after the end does not switch the source on.
  private func change(to new: LocationHealth) {
    guard new != health, isOn || new.state == .starting else { return }
    health = new
    onHealthChange(new)
  }
}

extension SourceReport.Satellites {
  fileprivate var words: String? {
    switch (used, seen) {
    case (let used?, let seen?): "\(used) of \(seen) satellites are used"
    case (let used?, nil): "\(used) satellites are used"
    default: nil
    }
  }
}
