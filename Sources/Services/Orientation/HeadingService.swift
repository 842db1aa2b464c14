import Geomagnetism
import Headings
import Instants
import LocationArbitration
import Locations
import Logging
import Scheduling

/// Provides the heading of the device to clients.
///
/// A source is on only while a client wants headings. The service keeps the calibration of its device, and takes the next source while the
/// preferred one is missing.
public final class HeadingService {
  /// The receiver of an output. Outputs of one moment are in the order of their clients.
  public enum Client: Hashable, Comparable, Sendable {
    /// A session, identified by a number that the caller chooses.
    case session(UInt32)
    case guidance
  }

  public enum Output: Hashable, Sendable {
    case update(Client, HeadingUpdate)
    case failed(Client, HeadingFailure)
    case calibration(Client, CalibrationStatus)

    /// The client that the output is for.
    public var client: Client {
      switch self {
      case .update(let client, _), .failed(let client, _), .calibration(let client, _): client
      }
    }
  }

  /// Receives outputs in order, during the call that causes them.
  public var onOutput: (Output) -> Void = { _ in }
  /// Receives each magnetic heading of the device's top edge that has an accuracy, both in degrees, and its time.
  public var onHeading: (Double, Double, Instant) -> Void = { _, _, _ in }
  /// Runs after `isAvailable` may have changed.
  public var onAvailabilityChange: () -> Void = {}

  let scheduler: any Scheduler
  let locations: any HeadingLocations
  let calibrations: CalibrationRecorder
  /// The preferred source first.
  private(set) var sources: [any HeadingSource]
  /// The orientation of clients that request none.
  public var orientation = DeviceOrientation.portrait

  var clients: [Client: HeadingClient] = [:]
  /// The source that is on.
  private(set) var active: Int?
  var compass = HeadingCompass()
  /// The device of the samples in `compass`, which may no longer be that of the source.
  var device: String?
  var travel = TravelDirection()
  var course: (location: Location, time: Instant)?
  var place: MagneticPlace?
  var isTravelRequested: Bool?
  /// The time of the last field or heading, and that of the start before the first one.
  var lastMeasurement = Instant.never
  var attempts = SourceAttempts()
  /// The source that was switched off because it is silent or fails.
  var lost: Int?
  var nextCalibrationStatus = Instant(microseconds: .min)
  var healthLog: HeadingHealthLog
  var failure: String?
  var timer: (any SchedulerTimer)?

  /// The shortest time between two statuses of a calibration.
  static let calibrationInterval = Span.milliseconds(250)
  /// A course without a fix for this long is not a direction.
  static let courseLifetime = Span.seconds(10)

  /// - Parameter file: the file of calibrations; nil keeps them in memory.
  public init(
    _ scheduler: any Scheduler, _ sources: [any HeadingSource], _ locations: any HeadingLocations, _ file: (any CalibrationFile)?,
    log: Logger
  ) {
    self.scheduler = scheduler
    self.locations = locations
    self.sources = sources
    healthLog = HeadingHealthLog(log)
    calibrations = CalibrationRecorder(file)
    timer = scheduler.timer { [unowned self] in supervise() }
    follow()
  }

  /// True if a source is present.
  public var isAvailable: Bool { sources.contains { $0.isPresent } }

  /// The reason why there is no heading; nil if a source is present.
  public var obstacle: String? {
    if isAvailable { return nil }
    guard !sources.isEmpty else { return "headings are switched off; set source in [heading] of beaconmon.toml" }
    if let problem = sources.lazy.compactMap({ $0.health.note }).first { return problem }
    return Self.noCompass
  }

  /// The reason why a device without a source has no headings.
  public static let noCompass = "this device has no magnetometer and no compass"

  /// The reason why a client's request is refused; nil if a source is present, or may turn out to be.
  public var requestObstacle: String? { sources.contains { $0.isPossible } ? nil : obstacle }

  /// Replaces the sources without any other effect on clients.
  public func replaceSources(_ sources: [any HeadingSource]) {
    let isOn = !clients.isEmpty
    switchOff()
    for source in self.sources { (source.onMeasurement, source.onHealthChange) = ({ _, _ in }, {}) }
    self.sources = sources
    follow()
    setRate()
    if isOn { switchOn() }
    onAvailabilityChange()
  }

  private func follow() {
    healthLog.forget()
    for (index, source) in sources.enumerated() {
      source.onMeasurement = { [unowned self] in take($0, at: $1, from: index) }
      source.onHealthChange = { [unowned self, unowned source] in
        // The source may be in the middle of its start.
        scheduler.enqueue { [weak self, weak source] in
          guard let self, let source, sources.indices.contains(index), sources[index] === source else { return }
          healthChanged(of: index)
        }
      }
    }
  }
}

// MARK: Sources

extension HeadingService {
  func switchOn() {
    guard let index = sources.firstIndex(where: { $0.isPresent }) ?? sources.firstIndex(where: { $0.isPossible }) else {
      return lose(obstacle ?? "no source of headings is present")
    }
    active = index
    let source = sources[index]
    (lastMeasurement, lost) = (scheduler.now, nil)
    attempts.start(isPreferred: index == 0, at: scheduler.now)
    // Its start decides which device it uses.
    source.start()
    device = source.device
    compass = HeadingCompass(calibrations.calibration(of: device, at: scheduler.wallClock), at: scheduler.now)
    armTimer()
    onAvailabilityChange()
  }

  func switchOff() {
    if active != nil {
      save()
      active = nil
    }
    for source in sources { source.stop() }
    (compass, device) = (HeadingCompass(), nil)
    (attempts, failure, lost) = (SourceAttempts(), nil, nil)
    timer?.arm(at: .never)
  }

  /// Ends the use of the source until the next attempt.
  private func lose(_ reason: String) {
    if let active {
      lost = active
      save()
      self.active = nil
      sources[active].stop()
    }
    failure = reason
    attempts.fail(at: scheduler.now)
    armTimer()
    reportFailure(.unavailable, reason)
    withdrawCalibration()
    onAvailabilityChange()
  }

  private func healthChanged(of index: Int) {
    let health = sources[index].health
    if index == active { healthLog.write(health, of: sources[index].name) }
    let isBroken = [.gone, .failing].contains(health.state)
    if index == active, isBroken { return lose(health.note ?? "the sensor does not work") }
    // A source that has become present need not wait for the next attempt.
    if active == nil, !clients.isEmpty, !isBroken, sources[index].isPresent { return switchOn() }
    onAvailabilityChange()
  }

  func armTimer() {
    let silentAt = active.map { lastMeasurement + sources[$0].patience } ?? .never
    timer?.arm(at: clients.isEmpty ? .never : min(silentAt, attempts.next))
  }

  private func supervise() {
    let now = scheduler.now
    if let active, now - lastMeasurement >= sources[active].patience {
      lose("\(sources[active].name) sends no samples")
    } else if active == nil, attempts.next <= now {
      switchOn()
    } else if let active, attempts.next <= now {
      attempts.search(at: now)
      if sources[..<active].contains(where: { $0.isPresent }) {
        save()
        self.active = nil
        sources[active].stop()
        switchOn()
      }
    }
    armTimer()
  }

  /// Stores the calibration of the device that it was measured with.
  func save() {
    guard let device, let calibration = compass.trustedCalibration else { return }
    calibrations.store(calibration, of: device, at: scheduler.wallClock, now: scheduler.now)
  }
}

// MARK: Status

extension HeadingService {
  /// The health and the counts of each source.
  public var status: [HeadingSourceStatus] {
    sources.enumerated().map { index, source in
      var status = HeadingSourceStatus()
      let (health, counts) = (source.health, source.counts)
      (status.source, status.device, status.note) = (source.name, source.device, health.note)
      (status.samples, status.refused) = (counts.samples, counts.refused)
      if index == active {
        status.state = health.state == .measuring ? compass.state : health.state
        status.note = status.note ?? place?.note
      } else {
        let isRetried = index == lost && failure != nil
        status.state = health.state == .failing ? .failing : !source.isPresent ? .gone : isRetried ? .failing : .off
        if isRetried { status.note = status.note ?? failure }
      }
      if let stored = calibrations.stored(of: source.device) {
        (status.calibrated, status.residual) = (stored.time, stored.calibration.residual)
      }
      return status
    }
  }
}
