import EventLoop
import Instants
import Locations
import Records

/// What every source does with what it hears: believe or refuse it, count it, and know how it stands.
final class FixIntake {
  private(set) var health = LocationHealth(.off)
  var counts = LocationCounts()
  private var compass = Compass()
  var onLocation: (Location) -> Void = { _ in }
  var onHealthChange: (LocationHealth) -> Void = { _ in }

  private let source: Location.Source
  private let clock: () -> Receipt
  private let pace: Pace
  /// Why it says no fix.
  private var miss: LocationHealth?
  private lazy var patience = loop.timer { [unowned self] in loseHope() }
  private let loop: Loop

  /// Receivers speak every second, some every five.
  static let patience = Span.seconds(10)

  enum Pace {
    /// Says it again and again: silent when it has not for a while.
    case steady(Span)
    /// Says it when something changes: silent when it has not begun for a while.
    case onChange(Span)
    /// Its time is a recording's: no clock of this machine says when it is late.
    case played
  }

  init(_ loop: Loop, _ source: Location.Source, _ pace: Pace, clock: @escaping () -> Receipt) {
    self.loop = loop
    self.source = source
    self.pace = pace
    self.clock = clock
  }

  /// It was switched on, or is there again.
  func begin() {
    miss = nil
    compass = Compass()
    expect()
    change(to: LocationHealth(.starting))
  }

  /// It was asked; without a fix in time it is silent.
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

  /// It is there without being of use, or it is not there.
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
      if miss == nil { miss = LocationHealth(.silent, "it tells a heading and no position") }
    case .searching(let satellites, _): note(LocationHealth(.silent, "it has no fix; give it a view of the sky", detail: satellites.words))
    }
  }

  func take(_ reading: LocationReading) {
    let location: Location
    do throws(LocationRefusal) { location = try Location(reading, from: source, at: clock()) } catch {
      counts.refused.count(error)
      return note(LocationHealth(.silent, "what it says is refused: \(error.words)"))
    }
    guard location.isCurrent(at: location.received) else {
      counts.stale += 1
      let old = LocationHealth(.silent, "what it says was too old when it came; is the clock of this device right?")
      // Who has just been asked may begin with what it remembers.
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

  /// It sends more than is read of it. Where a fix comes all the same, that is all that matters.
  func noteFlood() {
    note(LocationHealth(.silent, "it sends more than any receiver does, and reading is limited; is it one?"))
  }

  /// It spoke and said no fix.
  private func note(_ miss: LocationHealth) {
    self.miss = miss
    // One lost epoch is no loss.
    if health.state != .fixing { change(to: miss) }
  }

  private func loseHope() {
    change(to: miss ?? LocationHealth(.silent, "nothing comes from it"))
  }

  /// What its compass says; nil when it has none, or has not said anything for a while.
  var heading: Record? { compass.record(at: clock().instant, patience: Self.patience) }

  private func change(to new: LocationHealth) {
    guard new != health else { return }
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
  /// This machine's clocks.
  static func now(_ loop: Loop) -> Receipt {
    let isSynchronised = EventLoop.WallClock.isSynchronised ?? false
    return Receipt(instant: loop.sinceBoot, wallClock: .init(time: EventLoop.WallClock.now, isSynchronised: isSynchronised))
  }
}
