import Instants
import Locations
import Positioning
import Scheduling

/// The compass of a satellite receiver, whose sentences come with its fixes.
///
/// A receiver does not report whether it has a compass, and is on only while a client needs it. Unless it is configured, its compass
/// is present after its first heading, and possible before: a client's request starts the search for it.
public final class ReceiverCompass: HeadingSource {
  public private(set) var name = "receiver"
  public let device: String? = nil
  public let hasAccelerometer = true
  /// Compasses send every second, some every five seconds, but a satellite compass has to find its satellites first.
  public var patience: Span { latest != nil ? Self.silence : isConfigured || wasHeard ? Self.coldStart : Self.search }
  public private(set) var health = HeadingHealth(.off)
  public private(set) var counts = HeadingCounts()
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  private unowned let positioning: PositioningService
  private let scheduler: any Scheduler
  /// Whether the configuration says that a receiver has a compass.
  private let isConfigured: Bool
  private var wasHeard = false
  private var isOn = false
  private var begin = Instant(microseconds: 0)
  /// The end of the last search without a heading.
  private var vainEnd: Instant?
  /// Fires when a search is worthwhile again, because clients may wait for it.
  private var pauseEnd: (any SchedulerTimer)?
  /// The receiver whose compass is used, and the time of its last reading since the start.
  private var latest: (source: Location.Source, time: Instant)?

  private static let coldStart = Span.seconds(120)
  private static let silence = Span.seconds(10)
  /// The time to wait for a compass that may not exist.
  /// Receivers open within seconds, and compasses send every second.
  private static let search = Span.seconds(30)

  /// The pause after a search without a heading, which keeps a receiver on.
  private static let pause = Span.seconds(600)

  /// - Parameters:
  ///   - isConfigured: whether the configuration says that a receiver has a compass; otherwise one is present after its first heading.
  ///   - scheduler: the clock of measurements, and a timer.
  public init(_ positioning: PositioningService, isConfigured: Bool, _ scheduler: any Scheduler) {
    (self.positioning, self.isConfigured, self.scheduler) = (positioning, isConfigured, scheduler)
    pauseEnd = scheduler.timer { [unowned self] in onHealthChange() }
    positioning.onHeading = { [weak self] in self?.take($0, $1) }
  }

  public var isPresent: Bool { positioning.hasReceivers && (isConfigured || wasHeard) }
  public var isPossible: Bool { isPresent || positioning.hasReceivers && vainEnd.map { now - $0 >= Self.pause } ?? true }

  private var now: Instant { scheduler.now }

  public func start() {
    guard !isOn else { return }
    (isOn, latest, begin) = (true, nil, now)
    health = HeadingHealth(.starting)
    positioning.holdsCompass = true
  }

  public func stop() {
    guard isOn else { return }
    if !wasHeard, now - begin >= Self.search {
      vainEnd = now
      pauseEnd?.arm(at: now + Self.pause)
    }
    (isOn, latest) = (false, nil)
    health = HeadingHealth(.off)
    positioning.holdsCompass = false
  }

  private func take(_ reading: HeadingReading, _ source: Location.Source) {
    // The directions of two compasses are not mixed.
    if isOn, let latest, latest.source != source, now - latest.time < Self.silence { return }
    if isOn { latest = (source, now) }
    let isFirst = !wasHeard
    (wasHeard, name) = (true, source.name)
    counts.samples += 1
    if isOn {
      if health.state != .measuring {
        health = HeadingHealth(.measuring)
        onHealthChange()
      }
      onMeasurement(.heading(reading), now)
    } else if isFirst {
      onHealthChange()
    }
  }
}
