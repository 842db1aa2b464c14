import BeaconAdvertising
import Beacons
import Instants

// MARK: Judgements

extension BeaconHealthMonitor {
  mutating func checkSilence(at time: Instant) {
    // A beacon that is heard, and a longer gap, only make the next deadline later.
    guard clock > nextDeadline else { return }
    let overdue = entries.indices.filter { entries[$0].problems[.missing] == nil && entries[$0].isOverdue(at: clock) }
    guard !overdue.isEmpty else {
      suspicionStart = nil
      nextDeadline = clock + .seconds(60)
      for entry in entries where entry.problems[.missing] == nil { nextDeadline = min(nextDeadline, entry.deadline(at: clock)) }
      return
    }
    let isWeaker = receiverShift(since: clock - .seconds(60)).map { $0 <= -Self.leastLoss } ?? false
    let causes = Set(overdue.map(cause))
    if isWeaker || causes.contains(.receiver) {
      suspicionStart = suspicionStart ?? clock
    } else if suspicionStart != nil, !causes.contains(.power) {
      // The receiver heard nothing for a while, so the time limit of the beacons that are still silent restarts.
      suspicionStart = nil
      for position in overdue { entries[position].lastHeard = clock }
    } else {
      suspicionStart = nil
      for position in overdue { begin(.missing, at: position, .silence, time) }
    }
  }

  /// The explanations for a silence.
  private enum SilenceCause {
    case beacon
    /// At least half of the others are silent as well.
    case receiver
    /// Many others are silent as well, and the receiver has heard the rest for an hour since.
    case power
  }

  private func cause(_ position: Int) -> SilenceCause {
    let silence = clock - entries[position].lastHeard
    var (others, silent) = (0, 0)
    for other in entries.indices where other != position && entries[other].isLearned && entries[other].problems[.missing] == nil {
      others += 1
      // Half of its longest gap is rare for one beacon. The silences began at different times before the common cause.
      if clock - entries[other].lastHeard >= min(silence, entries[other].longestGap * 0.5) { silent += 1 }
    }
    guard others > 0, silent * 2 >= others else { return .beacon }
    let isLasting = suspicionStart.map { clock - $0 >= Self.hour } ?? false
    return isLasting && (others - silent) * 4 >= others ? .power : .receiver
  }

  /// Whether many beacons are silent, so that the receiver is the suspect.
  public var isReceiverSuspect: Bool { suspicionStart != nil }

  /// Returns the median change of the levels of the beacons that were heard since a listening time; nil if they are too few.
  private func receiverShift(since time: Span) -> Double? {
    median(
      entries.compactMap { entry in
        guard entry.lastHeard >= time, let history = entry.strongest, history.isLearned else { return nil }
        return history.recent.map { $0 - history.usual }
      })
  }

  private func median(_ changes: [Double]) -> Double? {
    changes.count < Self.leastForShift ? nil : changes.sorted()[changes.count / 2]
  }

  mutating func closeHour(at time: Instant) {
    for position in entries.indices { entries[position].closeHour() }
    let shift = median(
      entries.flatMap { entry in entry.levels.values.compactMap { $0.isLearned ? $0.median.map { [usual = $0.usual] in $0 - usual } : nil }
      })
    for position in entries.indices { entries[position].applyLevels(shift: shift ?? 0) }
    // With few beacons, the change may be that of the receiver.
    guard shift != nil, settings.isStationary else { return }
    for position in entries.indices {
      switch entries[position].change {
      case .jumped where entries[position].problems[.duplicate] == nil: begin(.moved, at: position, .level, time)
      case .faded: begin(.weak, at: position, .level, time)
      case .returned:
        for problem in [BeaconProblem.moved, .weak] where entries[position].causes[problem] == .level {
          end(problem, at: position, .level, time)
        }
      case .jumped, nil: break
      }
    }
  }

  mutating func matchFrames(at time: Instant) {
    guard !frames.isEmpty else { return }
    let pending = frames
    frames = pending.filter { frame in
      let matched = entries.indices.filter {
        entries[$0].transmitters.hasHeard(frame.transmitter, around: frame.time, within: BeaconTelemetry.lifetime)
      }
      for position in matched {
        let isLow = entries[position].battery.take((frame.voltage, frame.temperature), limit: settings.lowBattery)
        if isLow == true { begin(.weak, at: position, .battery, time) }
        if isLow == false, entries[position].causes[.weak] == .battery { end(.weak, at: position, .battery, time) }
      }
      return matched.isEmpty && time - frame.time <= BeaconTelemetry.lifetime
    }
  }

  /// The interval of the checks of beacons with two transmitters, which are few.
  private static let endInterval = Span.seconds(12)

  mutating func endDuplicates(at time: Instant) {
    guard time >= nextEnd else { return }
    nextEnd = time + Self.endInterval
    for position in entries.indices where entries[position].problems[.duplicate] != nil {
      guard let last = entries[position].transmitters.lastEvidence else {
        entries[position].transmitters.wait(from: time)
        continue
      }
      if time - last >= TransmitterWatch.timeToEnd {
        end(.duplicate, at: position, entries[position].causes[.duplicate] ?? .addresses, time)
      }
    }
  }

  mutating func begin(
    _ problem: BeaconProblem, at position: Int, _ cause: BeaconFinding.Cause, _ time: Instant,
    _ change: (inout BeaconFinding.Evidence) -> Void = { _ in }
  ) {
    guard entries[position].problems[problem] == nil else { return }
    entries[position].problems[problem] = time
    entries[position].causes[problem] = cause
    report(problem, at: position, cause, time, hasEnded: false, change)
  }

  mutating func end(_ problem: BeaconProblem, at position: Int, _ cause: BeaconFinding.Cause, _ time: Instant) {
    guard entries[position].problems.removeValue(forKey: problem) != nil else { return }
    entries[position].causes[problem] = nil
    nextDeadline = clock
    report(problem, at: position, cause, time, hasEnded: true) { _ in }
  }

  private mutating func report(
    _ problem: BeaconProblem, at position: Int, _ cause: BeaconFinding.Cause, _ time: Instant, hasEnded: Bool,
    _ change: (inout BeaconFinding.Evidence) -> Void
  ) {
    guard settings.problems.contains(problem) else { return }
    var evidence = entries[position].evidence(cause)
    change(&evidence)
    findings.append(BeaconFinding(entries[position].beacon, problem, hasEnded: hasEnded, at: time, evidence))
  }
}
