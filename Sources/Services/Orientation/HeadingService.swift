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
  /// A client, identified by a number that the caller chooses.
  public typealias Client = UInt32

  public enum Output: Hashable, Sendable {
    case update(Client, HeadingUpdate)
    case failed(Client, HeadingFailure)
    case calibration(Client, CalibrationStatus)
  }

  /// Called with outputs in order, during the call that causes them.
  public var onOutput: (Output) -> Void = { _ in }
  /// Called with each magnetic heading of the device's top edge that has an accuracy, both in degrees, and its time.
  public var onHeading: (Double, Double, Instant) -> Void = { _, _, _ in }
  /// Called after `isAvailable` may have changed.
  public var onAvailabilityChange: () -> Void = {}

  let scheduler: any Scheduler
  private let locations: any HeadingLocations
  private let calibrations: CalibrationKeeper
  /// The preferred source first.
  private(set) var sources: [any HeadingSource]
  /// The orientation of clients that request none.
  public var orientation = DeviceOrientation.portrait

  private var clients: [Client: HeadingClient] = [:]
  /// The source that is on.
  private(set) var active: Int?
  private(set) var compass = HeadingCompass()
  private var travel = TravelDirection()
  private var course: (location: Location, time: Instant)?
  private var place: MagneticPlace?
  private var isTravelRequested: Bool?
  /// The time of the last field or heading, and that of the start before the first one.
  private var lastMeasurement = Instant.never
  private var attempts = SourceAttempts()
  /// The source that was switched off because it is silent or fails.
  private var lost: Int?
  private var nextCalibrationNews = Instant(microseconds: .min)
  private var healthLog: HeadingHealthLog
  private var failure: String?
  private var timer: (any SchedulerTimer)?

  /// The shortest time between two statuses of a calibration.
  private static let calibrationPace = Span.milliseconds(250)
  /// A course without a fix for this long is no direction.
  private static let courseLifetime = Span.seconds(10)

  /// - Parameter file: the file of calibrations; nil keeps them in memory.
  public init(
    _ scheduler: any Scheduler, _ sources: [any HeadingSource], _ locations: any HeadingLocations, _ file: (any CalibrationFile)?,
    log: Logger
  ) {
    self.scheduler = scheduler
    self.locations = locations
    self.sources = sources
    healthLog = HeadingHealthLog(log)
    calibrations = CalibrationKeeper(file)
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
    return "this device has no magnetometer and no compass"
  }

  /// The reason why a client's request is refused; nil if a source is present, or may turn out to be.
  public var requestObstacle: String? { sources.contains { $0.isPossible } ? nil : obstacle }

  /// Replaces the sources without any other effect on clients.
  public func replaceSources(_ sources: [any HeadingSource]) {
    let isOn = !clients.isEmpty
    switchOff()
    for source in self.sources { (source.onMeasurement, source.onHealthChange) = ({ _, _ in }, {}) }
    self.sources = sources
    follow()
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

// MARK: Clients

extension HeadingService {
  /// Starts updates, whose outputs go to `onOutput`, or replaces the client's request.
  public func listen(_ client: Client, _ request: HeadingRequest) {
    guard var state = HeadingClient(request) else { return }
    let isFirst = clients.isEmpty
    if let previous = clients[client] { state.keep(previous) }
    clients[client] = state
    requestLocations()
    if isFirst {
      switchOn()
    } else if let failure {
      tell(.unavailable, failure)
    }
  }

  /// Ends the updates of a client.
  public func end(_ client: Client) {
    guard clients.removeValue(forKey: client) != nil else { return }
    if clients.isEmpty { switchOff() }
    requestLocations()
  }

  /// Ends all updates, and stores the calibration. The program ends afterwards.
  public func end() {
    switchOff()
    for source in sources { source.finish() }
    clients = [:]
    requestLocations()
  }

  /// Ends the present need of a calibration for a client. The next need is reported again.
  public func dismissCalibration(_ client: Client) {
    guard clients[client]?.dismiss() == true else { return }
    onOutput(.calibration(client, compass.calibrationStatus(isNeeded: false)))
  }

  private func requestLocations() {
    let wanted: Bool? = clients.isEmpty ? nil : clients.values.contains { $0.request.followsTravel }
    guard wanted != isTravelRequested else { return }
    isTravelRequested = wanted
    if wanted == nil { (place, course, travel) = (nil, nil, TravelDirection()) }
    locations.request(wanted.map { $0 ? LocationRequest() : .significantChanges })
    if wanted != nil, let location = locations.location { take(location) }
  }
}

// MARK: Sources

extension HeadingService {
  private func switchOn() {
    guard let index = sources.firstIndex(where: { $0.isPresent }) ?? sources.firstIndex(where: { $0.isPossible }) else {
      return lose(obstacle ?? "no source of headings is present")
    }
    active = index
    let source = sources[index]
    compass = HeadingCompass(calibrations.calibration(of: source.device, at: scheduler.wallClock), at: scheduler.now)
    (lastMeasurement, lost) = (scheduler.now, nil)
    attempts.start(isPreferred: index == 0, at: scheduler.now)
    source.start()
    armTimer()
    onAvailabilityChange()
  }

  private func switchOff() {
    if let active {
      save(of: active)
      self.active = nil
    }
    for source in sources { source.stop() }
    compass = HeadingCompass()
    (attempts, failure, lost) = (SourceAttempts(), nil, nil)
    timer?.arm(at: .never)
  }

  /// Ends the use of the source until the next attempt.
  private func lose(_ reason: String) {
    if let active {
      lost = active
      save(of: active)
      self.active = nil
      sources[active].stop()
    }
    failure = reason
    attempts.fail(at: scheduler.now)
    armTimer()
    tell(.unavailable, reason)
    onAvailabilityChange()
  }

  private func healthChanged(of index: Int) {
    let health = sources[index].health
    if index == active { healthLog.write(health, of: sources[index].name) }
    let isBroken = [.gone, .failing].contains(health.state)
    if index == active, isBroken { return lose(health.note ?? "the sensor does not work") }
    // A source that has come need not wait for the next attempt.
    if active == nil, !clients.isEmpty, !isBroken, sources[index].isPresent { return switchOn() }
    onAvailabilityChange()
  }

  private func armTimer() {
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
        save(of: active)
        self.active = nil
        sources[active].stop()
        switchOn()
      }
    }
    armTimer()
  }

  private func save(of index: Int) {
    guard let device = sources[index].device, let calibration = compass.trustedCalibration else { return }
    calibrations.store(calibration, of: device, at: scheduler.wallClock)
  }
}

// MARK: Measurements

extension HeadingService {
  private func take(_ measurement: HeadingMeasurement, at time: Instant, from index: Int) {
    guard index == active else { return }
    switch measurement {
    case .acceleration(let acceleration): return compass.take(acceleration: acceleration, at: time)
    case .rotation(let rate): return compass.take(rotation: rate, at: time)
    case .field(let field):
      compass.take(field: field, at: time, reference: reference, assumesLevel: !sources[index].hasAccelerometer)
    case .heading(let reading): compass.take(reading, at: time)
    }
    lastMeasurement = scheduler.now
    let isFirst = attempts.isSilent
    if isFirst || failure != nil || timer?.due == nil { armTimer() }
    failure = nil
    if attempts.measure(isPreferred: index == 0, at: scheduler.now) { healthLog.prove(sources[index].name) }
    if calibrations.isDue(compass.trustedCalibration, at: scheduler.now) { save(of: index) }
    deliver(at: time, from: sources[index])
  }

  private func deliver(at time: Instant, from source: any HeadingSource) {
    if let (heading, accuracy) = compass.topEdge { onHeading(heading, accuracy, time) }
    var outputs: [Output] = []
    let isTravelling = isTravelling
    let timestamp = scheduler.wallClock - (scheduler.now - time)
    let status = calibrationNews()
    for client in clients.keys.sorted() {
      guard var state = clients[client] else { continue }
      if let news = status.flatMap({ state.news($0) }) { outputs.append(.calibration(client, news)) }
      if !(state.request.followsTravel && isTravelling) {
        if compass.isDisturbed, state.accepts(.disturbed) {
          outputs.append(.failed(client, HeadingFailure(reason: .disturbed, message: Self.disturbed)))
        }
        var update = compass.update(for: state.request.orientation ?? orientation, reference: reference)
        (update.timestamp, update.source) = (timestamp, source.name)
        if state.accepts(update, field: compass.field) { outputs.append(.update(client, update)) }
      }
      clients[client] = state
    }
    emit(outputs)
  }

  private static let disturbed = "a magnet, iron or a current near the device disturbs the field; move the device away from it"

  /// The status of the calibration, if it is time for one.
  private func calibrationNews() -> CalibrationStatus? {
    let now = scheduler.now
    guard let isNeeded = compass.needsCalibration(at: now), now >= nextCalibrationNews || !isNeeded else { return nil }
    // Most of the time nothing is needed and nothing was.
    guard isNeeded || clients.values.contains(where: \.hasNeed) else { return nil }
    nextCalibrationNews = now + Self.calibrationPace
    return compass.calibrationStatus(isNeeded: isNeeded)
  }

  /// Tells the clients without a direction why there is none. One that follows travel has the course.
  private func tell(_ reason: HeadingFailure.Reason, _ message: String) {
    var outputs: [Output] = []
    let isTravelling = isTravelling
    for client in clients.keys.sorted() {
      if isTravelling, clients[client]?.request.followsTravel == true { continue }
      guard clients[client]?.accepts(reason) == true else { continue }
      outputs.append(.failed(client, HeadingFailure(reason: reason, message: message)))
    }
    emit(outputs)
  }

  private func emit(_ outputs: [Output]) {
    for output in outputs { onOutput(output) }
  }
}

// MARK: Locations

extension HeadingService {
  /// Takes a location that the service has requested.
  public func take(_ location: Location) {
    guard !clients.isEmpty else { return }
    place = MagneticPlace(location, unixTime: Double(scheduler.wallClock.microseconds) / 1e6, at: scheduler.now)
    travel.take(speed: location.speed, at: scheduler.now)
    guard travel.choice == .course, let degrees = location.course else {
      // The travel may have ended while no source works.
      if let failure { tell(.unavailable, failure) }
      return
    }
    course = (location, scheduler.now)
    var outputs: [Output] = []
    for client in clients.keys.sorted() where clients[client]?.request.followsTravel == true {
      var update = HeadingUpdate()
      update.setDirection(.course, magnetic: nil, true: degrees)
      (update.trueAccuracy, update.timestamp, update.source) = (location.courseAccuracy, scheduler.wallClock, location.source.name)
      if clients[client]?.accepts(update, field: nil) == true { outputs.append(.update(client, update)) }
    }
    emit(outputs)
  }

  private var isTravelling: Bool {
    travel.choice == .course && course.map { scheduler.now - $0.time <= Self.courseLifetime } ?? false
  }

  /// The field of the earth at this place; nil if the place is unknown for long.
  private var reference: MagneticReference? {
    guard let known = place else { return nil }
    if known.isOld(at: scheduler.now) {
      place = locations.location.map {
        MagneticPlace($0, unixTime: Double(scheduler.wallClock.microseconds) / 1e6, at: scheduler.now)
      }
    }
    return place?.reference
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
