import Instants
import Locations
import Positioning

/// The compass of a satellite receiver, whose sentences come with its fixes.
public final class ReceiverCompass: HeadingSource {
  public private(set) var name = "receiver"
  public let device: String? = nil
  public let hasAccelerometer = true
  /// Compasses send every second, some every five.
  public let patience = Span.seconds(10)
  public private(set) var health = HeadingHealth(.off)
  public private(set) var counts = HeadingCounts()
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  private unowned let positioning: PositioningService
  private let now: () -> Instant
  /// Whether the configuration says that a receiver has a compass.
  private let isConfigured: Bool
  private var wasHeard = false
  private var isOn = false

  /// - Parameters:
  ///   - isConfigured: whether the configuration says that a receiver has a compass; otherwise one is present after its first heading.
  ///   - now: the scheduler's clock.
  public init(_ positioning: PositioningService, isConfigured: Bool, now: @escaping () -> Instant) {
    (self.positioning, self.isConfigured, self.now) = (positioning, isConfigured, now)
    positioning.onHeading = { [weak self] in self?.take($0, $1) }
  }

  public var isPresent: Bool { positioning.hasReceivers && (isConfigured || wasHeard) }

  public func start() {
    guard !isOn else { return }
    isOn = true
    health = HeadingHealth(.starting)
    positioning.holdsCompass = true
  }

  public func stop() {
    guard isOn else { return }
    isOn = false
    health = HeadingHealth(.off)
    positioning.holdsCompass = false
  }

  private func take(_ reading: HeadingReading, _ source: Location.Source) {
    let isFirst = !wasHeard
    (wasHeard, name) = (true, source.name)
    counts.samples += 1
    if isOn {
      if health.state != .measuring {
        health = HeadingHealth(.measuring)
        onHealthChange()
      }
      onMeasurement(.heading(reading), now())
    } else if isFirst {
      onHealthChange()
    }
  }
}
