import Headings
import Instants
import Locations
import Scheduling

// MARK: Measurements

extension HeadingService {
  func take(_ measurement: HeadingMeasurement, at time: Instant, from index: Int) {
    guard index == active else { return }
    switch measurement {
    case .acceleration(let acceleration): return compass.take(acceleration: acceleration, at: time)
    case .rotation(let rate): return compass.take(rotation: rate, at: time)
    case .field(let field):
      noteDevice(of: index)
      compass.take(field: field, at: time, reference: reference, assumesLevel: !sources[index].hasAccelerometer)
    case .heading(let reading): compass.take(reading, at: time)
    case .noHeading:
      // This does not show that the source works: another one may know the heading.
      compass.forgetReading()
      return deliver(at: time, from: sources[index])
    }
    lastMeasurement = scheduler.now
    let isFirst = attempts.isSilent
    if isFirst || failure != nil || timer?.due == nil { armTimer() }
    failure = nil
    if attempts.measure(isPreferred: index == 0, at: scheduler.now) { healthLog.prove(sources[index].name) }
    if calibrations.isDue(compass.trustedCalibration, at: scheduler.now) { save() }
    deliver(at: time, from: sources[index])
  }

  private func deliver(at time: Instant, from source: any HeadingSource) {
    if let (heading, accuracy) = compass.topEdge { onHeading(heading, accuracy, time) }
    var outputs: [Output] = []
    let isTravelling = isTravelling
    let timestamp = scheduler.wallClock - (scheduler.now - time)
    let status = changedCalibrationStatus()
    for client in clients.keys.sorted() {
      guard var state = clients[client] else { continue }
      if let changed = status.flatMap({ state.changed($0) }) { outputs.append(.calibration(client, changed)) }
      if !(state.request.followsTravel && isTravelling) {
        if compass.isDisturbed, state.accepts(.disturbed) {
          outputs.append(.failed(client, HeadingFailure(reason: .disturbed, message: Self.disturbed)))
        }
        var update = compass.update(for: state.request.orientation ?? orientation, reference: reference)
        (update.timestamp, update.source) = (timestamp, source.name)
        if state.accepts(update, field: compass.field, at: scheduler.now) { outputs.append(.update(client, update)) }
      }
      clients[client] = state
    }
    emit(outputs)
  }

  private static let disturbed = "a magnet, iron or a current near the device disturbs the field; move the device away from it"

  /// The status of the calibration, if it is time for one.
  private func changedCalibrationStatus() -> CalibrationStatus? {
    let now = scheduler.now
    guard let isNeeded = compass.needsCalibration(at: now), now >= nextCalibrationStatus || !isNeeded else { return nil }
    // Usually no calibration is needed or was needed before.
    guard isNeeded || clients.values.contains(where: \.hasNeed) else { return nil }
    nextCalibrationStatus = now + Self.calibrationInterval
    return compass.calibrationStatus(isNeeded: isNeeded)
  }

  /// Restarts if the samples come from another device, whose calibration differs.
  private func noteDevice(of index: Int) {
    let present = sources[index].device
    guard present != device else { return }
    save()
    device = present
    compass = HeadingCompass(calibrations.calibration(of: present, at: scheduler.wallClock), at: scheduler.now)
  }

  /// Ends the need of a calibration, because its sensor is lost.
  func withdrawCalibration() {
    var outputs: [Output] = []
    for client in clients.keys.sorted() where clients[client]?.loseSensor() == true {
      outputs.append(.calibration(client, compass.calibrationStatus(isNeeded: false)))
    }
    emit(outputs)
  }

  /// Reports to the clients without a direction why there is none. A client that follows travel may have the course.
  func reportFailure(_ reason: HeadingFailure.Reason, _ message: String) {
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
    // An output may end clients, which then receive nothing more.
    for output in outputs where clients[output.client] != nil { onOutput(output) }
  }
}

// MARK: Locations

extension HeadingService {
  /// Takes a location that the service has requested.
  public func take(_ location: Location) {
    guard !clients.isEmpty else { return }
    place = MagneticPlace(location, unixTime: Double(scheduler.wallClock.microseconds) / 1e6, at: scheduler.now)
    healthLog.write(modelNote: place?.note)
    travel.take(speed: location.speed, at: scheduler.now)
    // The fix may have come late.
    let age = location.age(at: locations.now)
    guard travel.choice == .course, let degrees = location.course, age <= Self.courseLifetime else {
      // The travel may have ended while no source works.
      if let failure { reportFailure(.unavailable, failure) }
      return
    }
    course = (location, scheduler.now - age)
    var outputs: [Output] = []
    for client in clients.keys.sorted() where clients[client]?.request.followsTravel == true {
      var update = HeadingUpdate()
      update.setDirection(.course, magnetic: nil, true: degrees)
      (update.trueAccuracy, update.source) = (location.courseAccuracy, location.source.name)
      update.timestamp = location.time ?? scheduler.wallClock - age
      if clients[client]?.accepts(update, field: nil, at: scheduler.now) == true { outputs.append(.update(client, update)) }
    }
    emit(outputs)
  }

  var isTravelling: Bool {
    travel.choice == .course && course.map { scheduler.now - $0.time <= Self.courseLifetime } ?? false
  }

  /// The field of the earth at this place; nil if the place is unknown for long.
  var reference: MagneticReference? {
    guard let known = place else { return nil }
    if known.isOld(at: scheduler.now) {
      place = locations.location.map {
        MagneticPlace($0, unixTime: Double(scheduler.wallClock.microseconds) / 1e6, at: scheduler.now)
      }
    }
    return place?.reference
  }
}
