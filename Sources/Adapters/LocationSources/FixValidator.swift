import EventLoop
import Instants
import Locations
import Records

/// Validates and counts the readings of a source, and tracks its health.
final class FixValidator {
  private(set) var health = LocationHealth(.off)
  /// Whether the source is on, which it is from `begin` to `end`.
  var isOn: Bool { health.state != .off }
  var counts = LocationCounts()
  private var compass = Compass()
  var onLocation: (Location) -> Void = { _ in }
  var onHeading: (HeadingReading) -> Void = { _ in }
  var onHealthChange: (LocationHealth) -> Void = { _ in }

  private let source: Location.Source
  private let clock: () -> Receipt
  private let pace: Pace
  /// The reason why there is no fix.
  private var miss: LocationHealth?
  private lazy var patience = loop.timer { [unowned self] in timeOut() }
  private let loop: Loop

  /// The time after which a source is silent. Receivers send every second, some every five.
  static let patience = Span.seconds(10)

  enum Pace {
    /// A source that reports continuously, and is silent after this time without a report.
    case steady(Span)
    /// A source that reports changes, and is silent if the first report does not arrive within this time.
    case onChange(Span)
    /// A source on the clock of a recording, which is never late.
    case played
  }

  init(_ loop: Loop, _ source: Location.Source, _ pace: Pace, clock: @escaping () -> Receipt) {
    self.loop = loop
    self.source = source
    self.pace = pace
    self.clock = clock
  }

  /// Call when the source was switched on or has returned.
  func begin() {
    miss = nil
    compass = Compass()
    expect()
    change(to: LocationHealth(.starting))
  }

  /// Call after a request; the source becomes silent without a fix in time.
  func expect() {
    switch pace {
    case .steady(let limit), .onChange(let limit): patience.arm(after: limit)
    case .played: break
    }
  }

  func end() {
    patience.disarm()
    compass = Compass()
    change(to: LocationHealth(.off))
  }

  /// Call when the source is unusable or unavailable.
  func fail(_ state: LocationHealth.State, _ reason: String) {
    patience.disarm()
    compass = Compass()
    change(to: LocationHealth(state, reason))
  }

  func take(_ report: SourceReport) {
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

  func take(_ reading: LocationReading) {
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
    case .steady(let limit): patience.arm(after: limit)
    case .onChange, .played: patience.disarm()
    }
    change(to: LocationHealth(.fixing))
    onLocation(location)
  }

  /// Call when the source sends more than is read. This matters only without a fix.
  func noteFlood() {
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

  /// The heading; `nil` without a compass or without a recent reading.
  var heading: HeadingReport? { compass.report(at: clock().instant, patience: Self.patience) }

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

extension Receipt {
  /// Returns the current time of the clocks of this machine.
  static func now(_ loop: Loop) -> Receipt {
    let isSynchronised = EventLoop.WallClock.isSynchronised ?? false
    return Receipt(instant: loop.sinceBoot, wallClock: .init(time: EventLoop.WallClock.now, isSynchronised: isSynchronised))
  }
}
