import BeaconAdvertising
import Beacons
import Captures
import Events
import Failures
import Instants
import Locations
import MonitorConfiguration
import ProgramSupport
import Proximity
import Ranging
import Records
import Regions
import Terminal
import TrackRecordings
import Venues

/// Receives the results of a replay in the order of their times.
protocol ReplayOutput: AnyObject {
  func show(_ events: [Event]) throws
  /// Takes the sightings of the capture.
  func hear(_ sightings: [Sighting])
  /// Takes the beacons of a second, if the replay ranges.
  func range(_ beacons: [RangedBeacon], at time: Instant)
}

/// Prints the events of a replay as lines of text or JSON.
final class ReplayPrinter: ReplayOutput {
  private let json: Bool
  private var list: EventList

  /// - Parameter regions: the regions of the events; nil if each UUID is one.
  init(json: Bool, regions: [Region]?, _ times: TimeOptions) {
    self.json = json
    let uuidWidth = 36
    let output = TerminalOutput.standardOutput
    list = EventList(
      style: output.style, regionWidth: regions.map { $0.map { EventList.regionWidth($0.identifier) }.max() ?? 0 } ?? uuidWidth,
      time: output.timeFormat(isUTC: times.utc))
  }

  func show(_ events: [Event]) throws {
    let output = TerminalOutput.standardOutput
    let width = output.width
    try output.write(events.map { json ? $0.json + "\n" : list.text($0, width: width) }.joined())
  }

  func hear(_ sightings: [Sighting]) {}
  func range(_ beacons: [RangedBeacon], at time: Instant) {}
}

/// Replays a capture from its beginning to its end, as fast as the machine can.
struct CaptureReplay: ~Copyable {
  struct Options {
    var drain: Bool
    var summary: Bool
  }

  private let options: Options
  private let output: any ReplayOutput
  private var reader: CaptureReader
  private var driver: EngineDriver
  /// The walk of `[location.capture]`, whose fixes are not applied yet.
  private var fixes = RecordedFixes()
  /// The motions of the capture that are not applied yet.
  private var motions: ArraySlice<RecordedMotion> = []
  /// The time of the last fix or motion.
  private var reported = Instant(microseconds: .min)
  private let catalogue: Catalogue
  private let languages: [String]
  private var progress = ReplayProgress()
  private var hasStarted = false
  private var eventCount = 0
  /// The beacons so far, up to a limit and only for the summary: the engine keeps fewer.
  private var beacons: Set<BeaconIdentity> = []
  private static let mostBeacons = 1_000_000

  /// - Parameter ranged: the UUIDs whose beacons `output` receives each second, instead of the events of regions.
  init(
    _ file: consuming CaptureFile, _ configuration: Configuration?, _ options: Options, ranging ranged: Set<BeaconUUID> = [],
    to output: any ReplayOutput
  ) throws(Failure) {
    catalogue = Catalogue(configuration?.venues ?? [])
    languages = configuration?.languages ?? []
    if let walk = configuration?.location.capture { fixes = try RecordedFixes(path: walk.path) }
    (self.options, self.output) = (options, output)
    let ranging = configuration.map { $0.ranging(of: AdapterRoster($0.adapters)) }
    let settings = EngineSettings(ranging: ranging ?? .init(), watchesEveryUUID: configuration == nil && ranged.isEmpty)
    var engine = ProximityEngine(settings: settings, at: Instant(microseconds: 0))
    if ranged.isEmpty { engine.replaceRegions(with: configuration?.regions ?? [], at: engine.now) }
    for uuid in ranged { engine.startRanging(BeaconConstraint(uuid: uuid)) }
    driver = EngineDriver(engine: engine)
    if !catalogue.venues.isEmpty { driver.replaceVenues(with: catalogue.venues, receiver: configuration?.receiver) }
    reader = CaptureReader(file)
    reader.configure(configuration?.adapters ?? [])
    reader.keepsMotions = true
  }

  /// Plays the capture; one that is cut off at its end only causes a note.
  mutating func run() throws {
    var failure: CaptureFileError?
    var isReading = true
    var sightings: [Sighting] = []
    while isReading {
      sightings.removeAll(keepingCapacity: true)
      do throws(CaptureFileError) {
        isReading = try reader.read(into: &sightings)
      } catch {
        failure = error
        isReading = false
      }
      try take(sightings)
      try progress.show(reader.progress)
    }
    if hasStarted {
      var rest: ArraySlice<Sighting> = []
      try apply(through: .never, &rest)
    }
    if options.drain { try drain() }
    try progress.hide()
    if options.summary { try TerminalOutput.standardError.write(summary) }
    if let failure {
      guard failure.isTruncation else { throw Failure(failure) }
      try TerminalOutput.standardError.write("beaconmon: \(failure)\n")
    }
  }

  private mutating func take(_ sightings: [Sighting]) throws {
    guard let period = reader.period else { return }
    if !hasStarted {
      hasStarted = true
      driver.start(at: min(period.lowerBound, fixes.next ?? .never))
    }
    output.hear(sightings)
    if options.summary, beacons.count < Self.mostBeacons { beacons.formUnion(sightings.lazy.map(\.beacon)) }
    motions += reader.takeMotions()
    var rest = sightings[...]
    try apply(through: period.upperBound, &rest)
    try show(driver.step(Array(rest), through: max(reported, period.upperBound)))
  }

  /// Applies the fixes and motions up to a time, each after the sightings before it, which are removed.
  private mutating func apply(through time: Instant, _ sightings: inout ArraySlice<Sighting>) throws {
    for report in fixes.take(through: time) {
      try move(through: report.time, &sightings)
      try pass(to: report.time, &sightings)
      try show(driver.step(report, at: reported))
    }
    try move(through: time, &sightings)
  }

  /// Applies the motions up to a time.
  private mutating func move(through time: Instant, _ sightings: inout ArraySlice<Sighting>) throws {
    let due = motions.prefix { $0.time <= time }
    motions = motions.dropFirst(due.count)
    for motion in due {
      try pass(to: motion.time, &sightings)
      try show(driver.step(motion.motion, at: reported))
    }
  }

  /// Applies the sightings before a fix or a motion.
  private mutating func pass(to time: Instant, _ sightings: inout ArraySlice<Sighting>) throws {
    reported = max(reported, time)
    let heard = sightings.prefix { $0.time <= reported }
    sightings = sightings.dropFirst(heard.count)
    try show(driver.step(Array(heard), through: reported))
  }

  private mutating func drain() throws {
    while hasStarted, driver.nextWake != .never { try show(driver.step([], through: driver.nextWake)) }
  }

  private mutating func show(_ results: [EngineDriver.Output]) throws {
    var events: [Event] = []
    let roster = reader.roster
    for result in results {
      switch result {
      case .event(let event):
        eventCount += 1
        var details = event.event(adapterName: roster.name)
        if let beacon = event.transition.evidence?.beacon, let place = catalogue.place(of: beacon) {
          (details.placeID, details.placeName) = (place.id, place.name(preferring: languages))
        }
        events.append(details)
      case .snapshots(let snapshots, let time):
        for beacons in snapshots.values { output.range(beacons, at: time) }
      case .scanned, .positioned: break
      }
    }
    guard !events.isEmpty else { return }
    try progress.hide()
    try output.show(events)
  }

  private var summary: String {
    ReplaySummary(
      counts: reader.counts.statistics, beacons: beacons.count, events: eventCount, seconds: reader.progress.captured.seconds,
      elapsed: progress.elapsed.seconds
    ).text
  }
}

/// The bar on standard error while a replay runs, and the elapsed time.
private struct ReplayProgress {
  private static let interval = Span.milliseconds(100)

  private let output = TerminalOutput.standardError
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var shown = Span.zero
  private var isVisible = false
  private let bar: ProgressBar?

  init() {
    start = clock.now
    bar = output.style.canRedraw ? ProgressBar(style: output.style) : nil
  }

  var elapsed: Span {
    let (seconds, attoseconds) = (clock.now - start).components
    return Span(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  mutating func show(_ progress: CaptureProgress) throws(OutputError) {
    let elapsed = elapsed
    guard let bar, !isVisible && shown > .zero || elapsed > shown + Self.interval else { return }
    shown = elapsed
    isVisible = true
    try output.write(
      bar.text(
        done: Int64(progress.octets), total: progress.total.map { Int64($0) }, captured: progress.captured,
        rate: Double(progress.advertisements) / elapsed.seconds, columns: output.size.columns))
  }

  /// Hides the bar before lines of text, which may go to the same terminal; the next `show` restores it.
  mutating func hide() throws(OutputError) {
    guard isVisible else { return }
    isVisible = false
    try output.write(ProgressBar.erase)
  }
}
