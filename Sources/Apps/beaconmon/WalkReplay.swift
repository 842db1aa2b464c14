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
import Terminal
import TrackRecordings

/// Replays the reports of a location receiver on a walk, as fast as the machine can; the receiver's time is the clock.
struct WalkReplay: ~Copyable {
  private let options: CaptureReplay.Options
  private let output: any ReplayOutput
  private var reader: WalkReader
  private var driver: EngineDriver
  /// The time from the first fix to the receiver's last time; nil before there is a fix.
  private var period: ClosedRange<Instant>?
  private var fixCount = 0
  private var eventCount = 0
  private var refused = Tally<LocationRefusal>()

  init(
    _ file: consuming CaptureFile, _ configuration: Configuration?, _ options: CaptureReplay.Options, to output: any ReplayOutput
  ) throws(Failure) {
    let regions = try Self.regions(of: configuration)
    reader = WalkReader(file)
    (self.options, self.output) = (options, output)
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.replaceRegions(with: regions, at: engine.now)
    if regions.contains(where: { $0.kind == .place }), let venues = configuration?.venues, !venues.isEmpty {
      // A walk has no beacons, so their silence says nothing.
      engine.setReception(.all(.lost), at: engine.now)
      driver = EngineDriver(engine: engine)
      driver.replaceVenues(with: venues, receiver: configuration?.receiver)
    } else {
      driver = EngineDriver(engine: engine)
    }
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
      for report in reports { try take(report) }
    }
    if options.drain {
      while period != nil, driver.nextWake != .never { try show(driver.step([], through: driver.nextWake)) }
    }
    if options.summary { try TerminalOutput.standardError.write(summary) }
    if let failure { throw Failure(failure) }
    if !options.summary, refused.total > 0 { try TerminalOutput.standardError.write("beaconmon: \(reader.name): \(refusals)\n") }
  }

  private mutating func take(_ report: WalkReport) throws {
    guard case .reading(let reading) = report.report else { return try pass(to: report.time) }
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .capture, at: Receipt(recorded: report.time))
    } catch {
      refused.count(error)
      // The times of other refused readings are not trusted either.
      return error == .noFix ? try pass(to: report.time) : ()
    }
    try go(to: location, at: report.time)
  }

  private mutating func go(to location: Location, at time: Instant) throws {
    if period == nil { driver.start(at: time) }
    period = min(time, period?.lowerBound ?? time)...max(time, period?.upperBound ?? time)
    fixCount += 1
    if let fix = Fix(location, at: time) { try show(driver.apply(fix, at: time)) }
  }

  /// Advances the time without a fix.
  private mutating func pass(to time: Instant) throws {
    guard let period, time > period.upperBound else { return }
    self.period = period.lowerBound...time
    try show(driver.step([], through: time))
  }

  private mutating func show(_ results: [EngineDriver.Output]) throws {
    let events = results.compactMap { result in if case .event(let event) = result { event.event() } else { nil } }
    eventCount += events.count
    if !events.isEmpty { try output.show(events) }
  }

  /// The refusals, as in `12 of 30 fixes were refused: 10 latitude, 2 noFix`.
  private var refusals: String {
    let reasons = refused.counts.entries.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    return "\(refused.total) of \(refused.total + fixCount) fixes were refused: \(reasons)"
  }

  private var summary: String {
    let seconds = period.map { ($0.upperBound - $0.lowerBound).seconds } ?? 0
    return WalkSummary(
      sentences: reader.counts, refused: refused.counts, untimed: reader.untimed, fixes: fixCount, events: eventCount, seconds: seconds
    ).text
  }
}
