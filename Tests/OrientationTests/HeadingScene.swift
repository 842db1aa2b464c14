import Headings
import Instants
import LocationArbitration
import Locations
import Logging
import Orientation
import SensorSimulation
import TestSupport

/// A source whose samples a test sends.
final class FakeHeadingSource: HeadingSource {
  let name = "fake"
  var device: String? = "chip 1-000c"
  var isPresent = true
  var hasAccelerometer = true
  let patience = Span.seconds(4)
  var isFast = false
  var health = HeadingHealth(.off)
  let counts = HeadingCounts()
  var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  var onHealthChange: () -> Void = {}
  private(set) var isOn = false
  private(set) var starts = 0

  func start() { (isOn, starts, health) = (true, starts + 1, HeadingHealth(.measuring)) }
  func stop() { isOn = false }

  func vanish() {
    (isPresent, health) = (false, HeadingHealth(.gone, "it was removed"))
    onHealthChange()
  }
}

final class FakeLocations: HeadingLocations {
  var location: Location?
  /// The clock of the locations that a test makes.
  let scheduler: ManualScheduler
  var now: Instant { scheduler.wallClock }
  private(set) var requests: [LocationRequest?] = []
  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
  func request(_ request: LocationRequest?) { requests.append(request) }
}

final class FakeCalibrations: CalibrationFile {
  var stored: [StoredCalibration] = []
  /// Whether reads and writes succeed.
  var works = true
  private(set) var writes = 0
  func loadCalibrations() -> [StoredCalibration]? { works ? stored : nil }
  func save(_ calibration: StoredCalibration, most: Int) -> Bool {
    writes += 1
    guard works else { return false }
    stored = Array(([calibration] + stored.filter { $0.device != calibration.device }).prefix(most))
    return true
  }
}

/// A service with one fake source, and the outputs of its clients.
final class HeadingScene {
  let scheduler = ManualScheduler()
  let source = FakeHeadingSource()
  let locations: FakeLocations
  let file: FakeCalibrations
  let service: HeadingService
  var device = SensorSimulator(horizontal: 20, down: 45, seed: 7)
  private(set) var outputs: [HeadingService.Output] = []
  private(set) var lastField: SpaceVector?
  let lines = LogLines()
  /// The wall clock at the start.
  let begin: Instant

  init(_ file: FakeCalibrations = FakeCalibrations()) {
    self.file = file
    locations = FakeLocations(scheduler)
    begin = scheduler.wallClock
    service = HeadingService(scheduler, [source], locations, file, log: lines.logger)
    service.onOutput = { [unowned self] in outputs.append($0) }
  }

  /// Sends 50 samples for each second.
  ///
  /// - Parameter tumbling: whether the device is turned in all directions.
  func run(_ seconds: Double, tumbling: Bool = false) {
    for _ in 0..<Int(seconds * 50) {
      scheduler.advance(by: .milliseconds(20))
      if tumbling { for _ in 0..<2 { device.tumble() } }
      guard source.isOn else { continue }
      let (acceleration, field) = device.sample()
      lastField = field
      if source.hasAccelerometer { source.onMeasurement(.acceleration(acceleration), scheduler.now) }
      source.onMeasurement(.field(field), scheduler.now)
    }
  }

  func calibrate() {
    run(60, tumbling: true)
    device.lay(heading: 90)
    run(2)
  }

  /// Returns a location that was measured a time ago.
  func location(speed: Double? = nil, course: Double? = nil, age: Span = .zero) throws -> Location {
    var reading = LocationReading(latitude: 52.5, longitude: 13.4)
    (reading.horizontalAccuracy, reading.speed, reading.course) = (5, speed, course)
    return try Location(reading, from: Location.Source("test"), at: Receipt(recorded: scheduler.wallClock - age))
  }

  func drain() -> [HeadingService.Output] {
    defer { outputs = [] }
    return outputs
  }

  /// Returns whether a calibration was needed, as reported to the clients in turn.
  func drainNeeds() -> [Bool] {
    drain().reduce(into: []) { needs, output in
      if case .calibration(_, let status) = output, let isNeeded = status.isNeeded, isNeeded != needs.last { needs.append(isNeeded) }
    }
  }

  func drainUpdates() -> [HeadingUpdate] {
    drain().compactMap { if case .update(_, let update) = $0 { update } else { nil } }
  }
}
