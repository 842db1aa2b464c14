import Captures
import Failures
import Instants
import Locations
import MonitorConfiguration
import NMEA
import ProgramSupport
import Proximity
import Records
import Regions
import Terminal

/// What a receiver of positions said on a walk, NMEA 0183, from its beginning to its end, as fast as the machine goes. The receiver's time is the clock.
struct WalkReplay: ~Copyable {
  private let options: CaptureReplay.Options
  private let line: EventLine
  private var file: CaptureFile
  private var decoder = NMEADecoder()
  private var driver: EngineDriver
  /// Of the first fix and of the last; nil before there is one.
  private var period: ClosedRange<Instant>?
  private var fixCount = 0
  private var eventCount = 0
  private var refused = Tally<LocationRefusal>()
  private var untimed = 0

  /// Whether a file is such a recording, by its name.
  static func reads(_ path: String) -> Bool { path.hasSuffix(".nmea") }

  init(_ path: String, _ configuration: Configuration?, _ options: CaptureReplay.Options) throws(Failure) {
    let regions = try Self.circles(of: configuration)
    file = try Self.open(path)
    self.options = options
    line = EventLine(style: TerminalOutput.standardOutput.style, regionWidth: regions.map(\.identifier.count).max() ?? 0)
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.replaceRegions(with: regions, at: engine.now)
    driver = EngineDriver(engine: engine)
  }

  private static func circles(of configuration: Configuration?) throws(Failure) -> [Region] {
    let circles = (configuration?.regions ?? []).filter { $0.kind == .circle }
    guard circles.isEmpty else { return circles }
    throw Failure(.usage, "a walk crosses circles; name a --config that has a [[region]] with latitude, longitude and radius")
  }

  private static func open(_ path: String) throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) {
      return try CaptureFile(path: path)
    } catch {
      throw Failure(error)
    }
  }

  mutating func run() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    defer { buffer.deallocate() }
    var reports: [SourceReport] = []
    while case let count = try read(into: buffer), count > 0 {
      decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: Instant(microseconds: 0), into: &reports)
      try take(&reports)
    }
    decoder.finish(into: &reports)
    try take(&reports)
    if options.drain {
      while period != nil, driver.nextWake != .never { try show(driver.step([], through: driver.nextWake)) }
    }
    if options.summary { try TerminalOutput.standardError.write(summary) }
    guard fixCount > 0 else {
      throw Failure(.dataError, "\(file.name): has no fix with a time in \(decoder.counts.lines) lines; is it NMEA 0183?")
    }
  }

  private mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    do throws(CaptureFileError) {
      return try file.read(into: buffer)
    } catch {
      throw Failure(error)
    }
  }

  private mutating func take(_ reports: inout [SourceReport]) throws {
    for case .reading(let reading) in reports {
      guard let time = reading.time else {
        untimed += 1
        continue
      }
      let location: Location
      do throws(LocationRefusal) {
        location = try Location(reading, from: .nmea, at: Receipt(recorded: time))
      } catch {
        refused.count(error)
        continue
      }
      try go(to: location, at: time)
    }
    reports.removeAll(keepingCapacity: true)
  }

  private mutating func go(to location: Location, at time: Instant) throws {
    if period == nil { driver.start(at: time) }
    period = min(time, period?.lowerBound ?? time)...max(time, period?.upperBound ?? time)
    fixCount += 1
    if let fix = Fix(location, at: time) { try show(driver.step(fix, at: time)) }
  }

  private mutating func show(_ outputs: [EngineDriver.Output]) throws {
    for case .event(let event) in outputs {
      eventCount += 1
      let record = event.record()
      try TerminalOutput.standardOutput.write((options.json ? record.json : line.text(record)) + "\n")
    }
  }

  private var summary: String {
    let seconds = period.map { ($0.upperBound - $0.lowerBound).seconds } ?? 0
    return WalkSummary(
      sentences: decoder.counts.record, refused: refused.record, untimed: untimed, fixes: fixCount, events: eventCount, seconds: seconds
    ).text
  }
}
