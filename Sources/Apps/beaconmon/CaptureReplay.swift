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

/// Replays a capture from its beginning to its end, as fast as the machine can.
struct CaptureReplay: ~Copyable {
  struct Options {
    var json: Bool
    var drain: Bool
    var summary: Bool
    var times: TimeOptions
  }

  private let options: Options
  private var list: EventList
  private var reader: CaptureReader
  private var driver: EngineDriver
  /// The walk of `[location.capture]`, whose fixes are not applied yet.
  private var fixes = RecordedFixes()
  /// The time of the last fix.
  private var told = Instant(microseconds: .min)
  private let catalogue: Catalogue
  private let languages: [String]
  private var progress = ReplayProgress()
  private var hasStarted = false
  private var eventCount = 0
  /// The beacons so far, up to a limit and only for the summary: the engine keeps fewer.
  private var beacons: Set<BeaconIdentity> = []
  private static let mostBeacons = 1_000_000

  init(_ file: consuming CaptureFile, _ configuration: Configuration?, _ options: Options) throws(Failure) {
    catalogue = Catalogue(configuration?.venues ?? [])
    languages = configuration?.languages ?? []
    if let walk = configuration?.location.capture { fixes = try RecordedFixes(path: walk.path) }
    self.options = options
    let uuidWidth = 36
    let output = TerminalOutput.standardOutput
    list = EventList(
      style: output.style, regionWidth: configuration?.regions.map { EventList.regionWidth($0.identifier) }.max() ?? uuidWidth,
      time: output.timeFormat(isUTC: options.times.utc))
    let ranging = configuration.map { $0.ranging(of: AdapterRoster($0.adapters)) }
    let settings = EngineSettings(ranging: ranging ?? .init(), watchesEveryUUID: configuration == nil)
    var engine = ProximityEngine(settings: settings, at: Instant(microseconds: 0))
    engine.replaceRegions(with: configuration?.regions ?? [], at: engine.now)
    driver = EngineDriver(engine: engine)
    if !catalogue.venues.isEmpty { driver.replaceVenues(with: catalogue.venues, receiver: configuration?.receiver) }
    reader = CaptureReader(file)
    reader.configure(configuration?.adapters ?? [])
  }

  /// Prints the events; a capture that is cut off at its end only causes a note.
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
    if options.summary, beacons.count < Self.mostBeacons { beacons.formUnion(sightings.lazy.map(\.beacon)) }
    var rest = sightings[...]
    try apply(through: period.upperBound, &rest)
    try show(driver.step(Array(rest), through: max(told, period.upperBound)))
  }

  /// Applies the fixes up to a time, each after the sightings before it, which are removed.
  private mutating func apply(through time: Instant, _ sightings: inout ArraySlice<Sighting>) throws {
    for report in fixes.take(through: time) {
      told = max(told, report.time)
      let heard = sightings.prefix { $0.time <= told }
      sightings = sightings.dropFirst(heard.count)
      try show(driver.step(Array(heard), through: told))
      try show(driver.step(report, at: told))
    }
  }

  private mutating func drain() throws {
    while hasStarted, driver.nextWake != .never { try show(driver.step([], through: driver.nextWake)) }
  }

  private mutating func show(_ outputs: [EngineDriver.Output]) throws {
    var text = ""
    let roster = reader.roster
    let width = TerminalOutput.standardOutput.width
    for case .event(let event) in outputs {
      eventCount += 1
      var details = event.event(adapterName: roster.name)
      if let beacon = event.transition.evidence?.beacon, let place = catalogue.place(of: beacon) {
        (details.placeID, details.placeName) = (place.id, place.name(preferring: languages))
      }
      text += options.json ? details.json + "\n" : list.text(details, width: width)
    }
    guard !text.isEmpty else { return }
    try progress.hide()
    try TerminalOutput.standardOutput.write(text)
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
