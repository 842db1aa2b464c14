import EventLoop
import Headings
import Instants
import Locations
import Orientation
import SensorSimulation

/// A simulated device, to try headings on a machine without a magnetometer.
///
/// It is turned in all directions after each start, as for a calibration, and then carried by a walker.
public final class SimulatedSensors: HeadingSource {
  public let name = "simulator"
  public let device: String? = nil
  public let patience = Span.seconds(4)
  public let isPresent = true
  public let hasAccelerometer = true
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  public private(set) var health = HeadingHealth(.off)
  public private(set) var counts = HeadingCounts()
  private let loop: Loop
  private let place: () -> (horizontal: Double, down: Double)
  private var simulator: SensorSimulator?
  private var steps = 0
  private var next = Instant(microseconds: 0)
  private lazy var timer = loop.timer { [unowned self] in sample() }

  /// Every other step of the simulator is a sample, 50 times a second.
  private static let interval = SensorSimulator.interval * 2
  /// The samples until the device is carried, 40 s.
  private static let turning = 2000
  /// The samples of a second.
  private static let placeSteps = 50

  /// - Parameter place: returns the horizontal field and the one down in µT, which must be those of the known location.
  public init(_ loop: Loop, place: @escaping () -> (horizontal: Double, down: Double)) {
    (self.loop, self.place) = (loop, place)
  }

  public func start() {
    guard simulator == nil else { return }
    let place = place()
    simulator = SensorSimulator(horizontal: place.horizontal, down: place.down, seed: 1)
    (steps, next) = (0, loop.now)
    health = HeadingHealth(.starting)
    timer.arm(at: next)
  }

  public func stop() {
    simulator = nil
    timer.disarm()
    health = HeadingHealth(.off)
  }

  private func sample() {
    guard var device = simulator else { return }
    for _ in 0..<2 {
      if steps < Self.turning { device.tumble() } else { device.walk() }
    }
    // The location may become known, or change, while the source is on.
    if steps % Self.placeSteps == 0 { (device.horizontal, device.down) = place() }
    if steps == Self.turning { device.lay(heading: device.heading) }
    let (acceleration, field) = device.sample()
    steps += 1
    simulator = device
    counts.samples += 1
    // A process that was stopped does not catch up.
    next = max(next + Self.interval, loop.now)
    timer.arm(at: next)
    if health.state != .measuring {
      health = HeadingHealth(.measuring)
      onHealthChange()
    }
    onMeasurement(.acceleration(acceleration), loop.now)
    onMeasurement(.field(field), loop.now)
  }
}
