import Instants
import LocationArbitration
import Locations
import Logging
import Motion
import Scheduling

/// Provides the location of the device.
///
/// It switches its sources on and off, and passes their fixes to the subscribers that need them.
public final class PositioningService {
  /// Receives outputs in order, during the call that causes them.
  public var onOutput: (Locator.Output) -> Void = { _ in }
  /// Receives each fix of each source, before the locator judges it.
  public var onFix: (Location) -> Void = { _ in }
  /// Receives each heading of a receiver's compass.
  public var onHeading: (HeadingReading, Location.Source) -> Void = { _, _ in }
  /// Whether receivers stay on for their compass, even if no listener needs their fixes.
  public var holdsCompass = false {
    didSet { if holdsCompass != oldValue { switchSources() } }
  }
  /// The uses of the device's motion besides listeners with a distance filter, for which its sensors are on.
  public private(set) var motionUses: Set<MotionUse> = []
  /// Receives each change of the device's motion, and `unknown` when its sensors are switched off.
  public var onMotion: (DeviceMotion) -> Void = { _ in }
  /// Runs after the sources were replaced.
  public var onSourcesChange: () -> Void = {}
  /// Runs after the health of a source has changed.
  public var onHealthChange: () -> Void = {}

  let clock: any LocationClock
  private(set) var all: [any LocationSource]
  private(set) var locator: Locator
  private let scheduler: any Scheduler
  private let log: Logger
  /// The indices of the sources that are on.
  private(set) var on: Set<Int> = []
  /// The accuracy that the sources were last asked for.
  private var accuracy: DesiredAccuracy?
  /// The state of each source in the last log line.
  private var logged: [Location.Source: LocationHealth] = [:]
  private let watch: MotionWatch
  /// The motion at the last call of `onMotion`.
  private var shownMotion = DeviceMotion.unknown
  private var timer: (any SchedulerTimer)?
  /// - Parameter motionSensors: nil for a recording, to which this machine's motion is unrelated.
  public init(
    _ scheduler: any Scheduler, _ sources: [any LocationSource], _ clock: any LocationClock, _ motionSensors: (any MotionSensors)?,
    log: Logger
  ) {
    self.scheduler = scheduler
    self.clock = clock
    self.log = log
    watch = MotionWatch(scheduler, clock, motionSensors)
    all = sources
    locator = Locator(sources: sources.map(\.ability))
    timer = scheduler.timer { [unowned self] in change { $0.advance(to: $1) } }
    watch.onMotion = { [unowned self] in follow($0) }
    follow()
  }

  /// Replaces the sources without any other effect on subscribers.
  public func replaceSources(_ sources: [any LocationSource]) {
    for source in all { source.stop() }
    all = sources
    (accuracy, on) = (nil, [])
    logged = [:]
    follow()
    change { $0.replaceSources(sources.map(\.ability), at: $1) }
    onSourcesChange()
  }

  private func follow() {
    for (index, source) in all.enumerated() {
      source.onLocation = { [unowned self] location in
        onFix(location)
        change { $0.take(location, from: index, at: $1) }
      }
      source.onHealthChange = { [unowned self, unowned source] _ in note(source, index) }
      if let compass = source as? any CompassSource {
        let kind = compass.ability.source
        compass.onHeading = { [unowned self] in onHeading($0, kind) }
      }
    }
  }

  private func note(_ source: any LocationSource, _ index: Int) {
    log(source.health, of: source.ability.source)
    // The switch may be in progress.
    scheduler.enqueue { [weak self] in
      guard let self, all.indices.contains(index), all[index] === source else { return }
      change { $0.set(isAvailable: source.health.isAvailable, of: index, at: $1) }
      onHealthChange()
    }
  }

  /// Logs the state of an available source without its reason, and only when that state changes.
  /// Indoors the reason changes with every satellite that comes and goes, and subscribers switch sources on and off all day.
  private func log(_ health: LocationHealth, of source: Location.Source) {
    let shown = health.isAvailable ? LocationHealth(health.state) : health
    guard ![.off, .starting, .away].contains(health.state), logged[source] != shown else { return }
    logged[source] = shown
    if let reason = health.words {
      log.warning("\(source.name): \(reason)")
    } else {
      log.notice("\(source.name) provides the location of this device")
    }
  }

  private func change(_ body: (inout Locator, Instant) -> Void) {
    watch.notice()
    // A recording has changes only.
    if motion != .unknown { locator.take(motion, at: clock.now, isRecorded: watch.isRecorded) }
    body(&locator, clock.now)
    switchSources()
    switchMotion()
    // The scheduler's clock pauses during sleep: then the timer is late, never early.
    timer?.arm(at: locator.nextDeadline == .never ? .never : scheduler.now + (locator.nextDeadline - clock.now) * (1 / clock.speed))
    for output in locator.drain() { onOutput(output) }
  }

  private func switchSources() {
    let before = on
    on = locator.wanted
    if holdsCompass { on.formUnion(all.indices.filter { all[$0] is any CompassSource }) }
    for index in before.subtracting(on) where all.indices.contains(index) { all[index].stop() }
    let isOther = accuracy != locator.accuracy
    accuracy = locator.accuracy
    for index in on where isOther || !before.contains(index) { all[index].start(for: accuracy ?? .best) }
  }
}

// MARK: Motion

extension PositioningService {
  /// The motion of the device; unknown while its sensors are off.
  ///
  /// After a sleep of the machine it is unknown until the sensors have measured again.
  public var motion: DeviceMotion { watch.motion }

  /// Returns the motion of the device at a location, which is that of a recording only at a recorded one.
  public func motion(at location: Location) -> DeviceMotion {
    watch.isRecorded && !locator.followsRecording(location) ? .unknown : motion
  }

  /// Keeps the sensors of motion on for a use, or ends this use.
  public func setMotion(_ isNeeded: Bool, for use: MotionUse) {
    guard motionUses.contains(use) != isNeeded else { return }
    if isNeeded { motionUses.insert(use) } else { motionUses.remove(use) }
    switchMotion()
  }

  /// Takes the motion of the device of a recording, which lasts until the next one.
  ///
  /// A live fix, which is that of another device, does not follow it.
  public func take(recorded motion: DeviceMotion) { watch.take(recorded: motion) }

  /// Takes a heading of the device, whose changes show turns where there is no gyroscope.
  ///
  /// - Parameters:
  ///   - heading: degrees clockwise from north.
  ///   - accuracy: one sigma in degrees.
  ///   - time: on the clock of the samples of the motion sensors.
  public func take(heading: Double, accuracy: Double, at time: Instant) { watch.take(heading: heading, accuracy: accuracy, at: time) }

  private func switchMotion() { watch.isOn = !motionUses.isEmpty || locator.usesMotion(at: clock.now) }

  private func follow(_ motion: DeviceMotion) {
    locator.take(motion, at: clock.now, isRecorded: watch.isRecorded)
    guard motion != shownMotion else { return }
    shownMotion = motion
    onMotion(motion)
  }
}

// MARK: Subscribers

extension PositioningService {
  /// Starts updates, whose outputs go to `onOutput`, or replaces the listener's request.
  ///
  /// A known location goes there before this returns.
  public func listen(_ listener: Locator.Listener, _ request: LocationRequest) {
    change { $0.listen(listener, request, at: $1) }
  }

  /// Starts a search for one fix that ends after `timeout` at the latest.
  public func search(_ listener: Locator.Listener, _ accuracy: DesiredAccuracy, timeout: Span) {
    change { $0.search(listener, accuracy, timeout: timeout, at: $1) }
  }

  /// Ends the updates or the search of a listener.
  public func end(_ listener: Locator.Listener) {
    change { $0.end(listener, at: $1) }
  }
}

extension LocationHealth {
  fileprivate var isAvailable: Bool { state != .gone && state != .denied && state != .away }
}
