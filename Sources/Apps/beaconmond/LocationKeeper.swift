import EventLoop
import Instants
import Locating
import LocationSources
import Locations
import Logging
import MonitorService
import Records

/// Provides the location of the device: the configured sources, their subscribers, and the output for each of them.
final class LocationKeeper {
  private let loop: Loop
  private let clock: any LocationClock
  private let log: Logger
  private var all: [any LocationSource]
  private var locator: Locator
  private var accuracy: DesiredAccuracy?
  /// The state of each source in the last log line.
  private var logged: [Location.Source: LocationHealth] = [:]
  /// Runs only while the output depends on whether the device lies still.
  private let accelerometer: Accelerometer?
  private lazy var timer = loop.timer { [unowned self] in change { $0.advance(to: $1) } }
  /// Called with outputs in order, after the call that caused them has returned.
  var onOutput: (Locator.Output) -> Void = { _ in }
  var onSourcesChange: () -> Void = {}
  var onHealthChange: () -> Void = {}

  convenience init(_ loop: Loop, _ sources: [any LocationSource], log: Logger) {
    self.init(loop, sources, LiveClock(loop), Accelerometer(loop), log: log)
  }

  /// Creates the service for a recording, without the accelerometer: this machine's motion is unrelated to the recording.
  convenience init(_ loop: Loop, played source: PlayedSource, _ clock: PlayedClock, log: Logger) {
    self.init(loop, [source], clock, nil, log: log)
  }

  private init(
    _ loop: Loop, _ sources: [any LocationSource], _ clock: any LocationClock, _ accelerometer: Accelerometer?, log: Logger
  ) {
    self.loop = loop
    self.clock = clock
    self.log = log
    all = sources
    locator = Locator(sources: sources.map(\.ability))
    self.accelerometer = accelerometer
    accelerometer?.onFeel = { [unowned self] in locator.feel($0, at: self.clock.now) }
    follow()
  }

  /// Replaces the sources without any other effect on subscribers.
  func replaceSources(_ sources: [any LocationSource]) {
    for source in all { source.stop() }
    all = sources
    accuracy = nil
    logged = [:]
    follow()
    change { $0.replaceSources(sources.map(\.ability), at: $1) }
    onSourcesChange()
  }

  private func follow() {
    for (index, source) in all.enumerated() {
      source.onLocation = { [unowned self] location in change { $0.take(location, from: index, at: $1) } }
      source.onHealthChange = { [unowned self, unowned source] _ in note(source, index) }
    }
  }

  private func note(_ source: any LocationSource, _ index: Int) {
    log(source.health, of: source.ability.source)
    // The switch may be in progress.
    loop.enqueue { [weak self] in
      guard let self, all.indices.contains(index), all[index] === source else { return }
      let state = source.health.state
      change { $0.set(isThere: state != .gone && state != .denied, of: index, at: $1) }
      onHealthChange()
    }
  }

  /// Logs the state of an available source without its reason, and only when that state changes.
  /// Indoors the reason changes with every satellite that comes and goes, and subscribers switch sources on and off all day.
  private func log(_ health: LocationHealth, of source: Location.Source) {
    let isThere = health.state != .gone && health.state != .denied
    let told = isThere ? LocationHealth(health.state) : health
    guard health.state != .off, health.state != .starting, logged[source] != told else { return }
    logged[source] = told
    if let reason = health.words {
      log.warning("\(source.rawValue): \(reason)")
    } else {
      log.notice("\(source.rawValue) says where this device is")
    }
  }

  private func change(_ body: (inout Locator, Instant) -> Void) {
    let before = locator.wanted
    body(&locator, clock.now)
    switchSources(before)
    accelerometer?.isOn = locator.usesAcceleration(at: clock.now)
    // The loop's clock stands still in sleep: then the timer is late, never early.
    timer.arm(at: locator.nextDeadline == .never ? .never : loop.now + (locator.nextDeadline - clock.now) * (1 / clock.speed))
    for output in locator.drain() { onOutput(output) }
  }

  private func switchSources(_ before: Set<Int>) {
    let wanted = locator.wanted
    for index in before.subtracting(wanted) where all.indices.contains(index) { all[index].stop() }
    let isOther = accuracy != locator.accuracy
    accuracy = locator.accuracy
    guard let accuracy else { return }
    for index in wanted where isOther || !before.contains(index) { all[index].start(for: accuracy) }
  }
}

extension LocationKeeper: LocationModel {
  var now: Instant { clock.now }
  var hasSources: Bool { !all.isEmpty }
  var location: Location? { locator.location(at: clock.now) }

  var sources: [Record] {
    all.enumerated().map { index, source in
      var record = Record([
        "source": .text(source.ability.source.rawValue), "state": .text(source.health.state.rawValue),
        "isOn": .flag(locator.wanted.contains(index)), "note": source.health.words.map { .text($0) },
      ])
      var counts = source.counts
      counts.late = locator.lateFixes(of: index)
      counts.fixes -= counts.late
      for (key, value) in counts.record.fields { record.append(key, value) }
      record.append("heading", source.intake.heading.map { .record($0) })
      return record
    }
  }

  var switches: [Record] {
    locator.switches.map { change in
      Record([
        "time": .time(clock.wallClock(change.time)), "source": .text(change.source.rawValue), "isOn": .flag(change.isOn),
        "reason": .text(change.cause.description),
      ])
    }
  }

  func listen(_ listener: Locator.Listener, _ request: LocationRequest) {
    change { $0.listen(listener, request, at: $1) }
  }

  func search(_ listener: Locator.Listener, _ accuracy: DesiredAccuracy, timeout: Span) {
    change { $0.search(listener, accuracy, timeout: timeout, at: $1) }
  }

  func end(_ listener: Locator.Listener) {
    change { $0.end(listener, at: $1) }
  }
}
