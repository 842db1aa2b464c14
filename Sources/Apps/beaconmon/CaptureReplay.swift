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
import Regions
import Replays
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
  private var replay: EngineReplay
  private var progress = ReplayProgress()
  /// The beacons so far, up to a limit and only for the summary: the engine keeps fewer.
  private var beacons: Set<BeaconIdentity> = []
  private static let mostBeacons = 1_000_000

  /// - Parameter ranged: the UUIDs whose beacons `output` receives each second, instead of the events of regions.
  init(
    _ file: consuming CaptureFile, _ configuration: Configuration?, _ options: Options, ranging ranged: Set<BeaconUUID> = [],
    to output: any ReplayOutput
  ) throws(Failure) {
    (self.options, self.output) = (options, output)
    let ranging = configuration.map { $0.ranging(of: AdapterRoster($0.adapters)) }
    let settings = EngineSettings(ranging: ranging ?? .init(), watchesEveryUUID: configuration == nil && ranged.isEmpty)
    var engine = ProximityEngine(settings: settings, at: Instant(microseconds: 0))
    if ranged.isEmpty { engine.replaceRegions(with: configuration?.regions ?? [], at: engine.now) }
    for uuid in ranged { engine.startRanging(BeaconConstraint(uuid: uuid)) }
    var driver = EngineDriver(engine: engine)
    let venues = configuration?.venues ?? []
    if !venues.isEmpty { driver.replaceVenues(with: venues, receiver: configuration?.receiver) }
    let walk = try (configuration?.location.capture).map { (walk) throws(Failure) in try WalkReader.reports(path: walk.path) }
    replay = EngineReplay(driver, walk: walk ?? [], catalogue: Catalogue(venues), languages: configuration?.languages ?? [])
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
    let roster = reader.roster
    try show(replay.finish(adapterName: roster.name))
    if options.drain {
      while let outputs = replay.wait(adapterName: roster.name) { try show(outputs) }
    }
    try progress.hide()
    if options.summary { try TerminalOutput.standardError.write(summary) }
    if let failure {
      guard failure.isTruncation else { throw Failure(failure) }
      try TerminalOutput.standardError.write("beaconmon: \(failure)\n")
    }
  }

  private mutating func take(_ sightings: [Sighting]) throws {
    guard let period = reader.period else { return }
    output.hear(sightings)
    if options.summary, beacons.count < Self.mostBeacons { beacons.formUnion(sightings.lazy.map(\.beacon)) }
    for recorded in reader.takeMotions() { replay.add(recorded.motion, at: recorded.time) }
    try show(replay.take(sightings, in: period, adapterName: reader.roster.name))
  }

  private mutating func show(_ outputs: [EngineReplay.Output]) throws {
    var events: [Event] = []
    for output in outputs {
      switch output {
      case .event(let event): events.append(event)
      case .beacons(let beacons, let time): self.output.range(beacons, at: time)
      }
    }
    guard !events.isEmpty else { return }
    try progress.hide()
    try output.show(events)
  }

  private var summary: String {
    ReplaySummary(
      counts: reader.counts.statistics, beacons: beacons.count, events: replay.eventCount, seconds: reader.progress.captured.seconds,
      elapsed: progress.elapsed.seconds
    ).text
  }
}

/// The bar on standard error while a replay runs, and the elapsed time.
private struct ReplayProgress {
  private let output = TerminalOutput.standardError
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var pace = ProgressPace()
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
    guard let bar, pace.show(at: elapsed) else { return }
    try output.write(
      bar.text(
        done: Int64(progress.octets), total: progress.total.map { Int64($0) }, captured: progress.captured,
        rate: Double(progress.advertisements) / elapsed.seconds, columns: output.size.columns))
  }

  /// Hides the bar before lines of text, which may go to the same terminal; the next `show` restores it.
  mutating func hide() throws(OutputError) {
    if pace.hide() { try output.write(ProgressBar.erase) }
  }
}

extension WalkReader {
  /// Reads a whole walk.
  fileprivate static func reports(path: String) throws(Failure) -> [WalkReport] {
    var reports: [WalkReport] = []
    do throws(CaptureFileError) {
      var reader = try WalkReader(path: path)
      while try reader.read(into: &reports) {}
    } catch {
      throw Failure(error)
    }
    return reports
  }
}
