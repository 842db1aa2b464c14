import Captures
import Events
import Failures
import Instants
import Locations
import MonitorConfiguration
import ProgramSupport
import Proximity
import Records
import Regions
import Replays
import Terminal
import TrackRecordings

/// Replays the reports of a location receiver on a walk, as fast as the machine can; the receiver's time is the clock.
struct WalkReplay: ~Copyable {
  private let options: CaptureReplay.Options
  private let output: any ReplayOutput
  private var reader: WalkReader
  private var replay: FixReplay

  init(
    _ file: consuming CaptureFile, _ configuration: Configuration?, _ options: CaptureReplay.Options, to output: any ReplayOutput
  ) throws(Failure) {
    let regions = try Self.regions(of: configuration)
    reader = WalkReader(file)
    (self.options, self.output) = (options, output)
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.replaceRegions(with: regions, at: engine.now)
    let venues = regions.contains { $0.kind == .place } ? configuration?.venues ?? [] : []
    // A walk has no beacons, so their silence says nothing.
    if !venues.isEmpty { engine.setReception(.all(.lost), at: engine.now) }
    var driver = EngineDriver(engine: engine)
    if !venues.isEmpty { driver.replaceVenues(with: venues, receiver: configuration?.receiver) }
    replay = FixReplay(driver)
  }

  /// Returns the regions that fixes decide about.
  static func regions(of configuration: Configuration?) throws(Failure) -> [Region] {
    let regions = (configuration?.regions ?? []).filter { $0.kind != .beacon }
    guard regions.isEmpty else { return regions }
    throw Failure(
      .usage,
      "a walk requires circles or venues; specify a --config with a [[region]] that has latitude, longitude and radius, or venue")
  }

  mutating func run() throws {
    var failure: CaptureFileError?
    var isReading = true
    while isReading {
      var reports: [WalkReport] = []
      do throws(CaptureFileError) {
        isReading = try reader.read(into: &reports)
      } catch {
        failure = error
        isReading = false
      }
      for report in reports { try show(replay.take(report)) }
    }
    if options.drain {
      while let events = replay.wait() { try show(events) }
    }
    if options.summary { try TerminalOutput.standardError.write(summary) }
    if let failure { throw Failure(failure) }
    if !options.summary, replay.refused.total > 0 { try TerminalOutput.standardError.write("beaconmon: \(reader.name): \(refusals)\n") }
  }

  private func show(_ events: [Event]) throws {
    if !events.isEmpty { try output.show(events) }
  }

  /// The refusals, as in `12 of 30 fixes were refused: 10 latitude, 2 noFix`.
  private var refusals: String {
    let refused = replay.refused
    let reasons = refused.counts.entries.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    return "\(refused.total) of \(refused.total + replay.fixCount) fixes were refused: \(reasons)"
  }

  private var summary: String {
    let seconds = replay.period.map { ($0.upperBound - $0.lowerBound).seconds } ?? 0
    return WalkSummary(
      sentences: reader.counts, refused: replay.refused.counts, untimed: reader.untimed, fixes: replay.fixCount, events: replay.eventCount,
      seconds: seconds
    ).text
  }
}
