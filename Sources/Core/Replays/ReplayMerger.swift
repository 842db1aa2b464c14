import BeaconAdvertising
import Instants
import Motion
import TrackRecordings

/// Merges recorded sightings, motions and fixes by their times.
///
/// Sightings arrive in chunks, and each fix or motion follows exactly the sightings up to its time, however the chunks are cut.
public struct ReplayMerger: Sendable {
  public enum Step: Hashable, Sendable {
    /// The sightings up to a time, to which the clock advances.
    case sightings(ArraySlice<Sighting>, through: Instant)
    case motion(DeviceMotion, at: Instant)
    case fix(WalkReport, at: Instant)
  }

  /// The reports of the walk that are not merged yet.
  private var reports: ArraySlice<WalkReport>
  /// The motions that are not merged yet.
  private var motions: ArraySlice<(motion: DeviceMotion, time: Instant)> = []
  /// The time of the last fix or motion.
  private var reported = Instant(microseconds: .min)

  /// - Parameter walk: the reports of a location receiver in the order of the recording.
  public init(walk: [WalkReport] = []) {
    reports = walk[...]
  }

  /// The time of the next report of the walk; nil if none is left.
  public var nextReport: Instant? { reports.first?.time }

  /// Adds a motion of the device, in the order of the recording.
  public mutating func add(_ motion: DeviceMotion, at time: Instant) { motions.append((motion, time)) }

  /// Returns the steps up to the end of a chunk, the last of which advances to this end.
  public mutating func merge(_ sightings: [Sighting], through end: Instant) -> [Step] {
    var rest = sightings[...]
    var steps = steps(through: end, &rest)
    steps.append(.sightings(rest, through: max(reported, end)))
    return steps
  }

  /// Returns the steps after the last chunk: the motions and fixes that follow it.
  public mutating func finish() -> [Step] {
    var rest: ArraySlice<Sighting> = []
    return steps(through: .never, &rest)
  }

  /// Returns the fixes and motions up to a time, each after the sightings before it, which are removed.
  private mutating func steps(through time: Instant, _ sightings: inout ArraySlice<Sighting>) -> [Step] {
    var steps: [Step] = []
    while let report = reports.first, report.time <= time {
      reports.removeFirst()
      move(through: report.time, &sightings, &steps)
      pass(to: report.time, &sightings, &steps)
      steps.append(.fix(report, at: reported))
    }
    move(through: time, &sightings, &steps)
    return steps
  }

  private mutating func move(through time: Instant, _ sightings: inout ArraySlice<Sighting>, _ steps: inout [Step]) {
    while let (motion, start) = motions.first, start <= time {
      motions.removeFirst()
      pass(to: start, &sightings, &steps)
      steps.append(.motion(motion, at: reported))
    }
  }

  private mutating func pass(to time: Instant, _ sightings: inout ArraySlice<Sighting>, _ steps: inout [Step]) {
    reported = max(reported, time)
    let heard = sightings.prefix { $0.time <= reported }
    sightings = sightings.dropFirst(heard.count)
    steps.append(.sightings(heard, through: reported))
  }
}
