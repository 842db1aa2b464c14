import BeaconAdvertising
import Beacons
import Captures
import Events
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Ranging
import Records
import Scoring
import Terminal
import Venues

/// Replays a capture once with each of several configurations, and compares or draws the results.
struct ComparedReplay {
  private let capture: String
  private let configurations: [NamedConfiguration]
  private let options: CaptureReplay.Options
  private let json: Bool
  private let plot: String?
  private let times: TimeOptions

  init(
    _ capture: String, _ configurations: [NamedConfiguration], _ options: CaptureReplay.Options, json: Bool, plot: String?,
    _ times: TimeOptions
  ) {
    (self.capture, self.configurations, self.options) = (capture, configurations, options)
    (self.json, self.plot, self.times) = (json, plot, times)
  }

  func run() throws {
    // A path that cannot be written is found before the work.
    let picture = try plot.map { (path) throws(OutputError) in try OutputFile(path: path, replaces: true) }
    let uuids = plot == nil ? [] : try heardUUIDs()
    let runs = try configurations.map { try (name: $0.name, results: results($0.configuration, uuids)) }
    try picture?.write(drawing(runs.map { ReplayPlot.Run(name: $0.name, trace: $0.results.trace, events: $0.results.events) }).text)
    try show(runs.map { EventComparison.Run(name: $0.name, events: $0.results.events) })
  }

  private func results(_ configuration: Configuration?, _ uuids: Set<BeaconUUID>) throws -> ReplayResults {
    let results = ReplayResults()
    var file = try CaptureFile.opened(capture)
    if file.isWalk() {
      var replay = try WalkReplay(file, configuration, options, to: results)
      try replay.run()
    } else {
      var replay = try CaptureReplay(file, configuration, options, ranging: uuids, to: results)
      try replay.run()
    }
    return results
  }

  /// Returns the UUIDs of the capture, as far as a picture has beacons.
  private func heardUUIDs() throws(Failure) -> Set<BeaconUUID> {
    var uuids: Set<BeaconUUID> = []
    do throws(CaptureFileError) {
      var file = try CaptureFile(path: capture)
      guard !file.isWalk() else { return [] }
      var reader = CaptureReader(file)
      var sightings: [Sighting] = []
      var isReading = true
      while isReading, uuids.count < ReplayTrace.mostBeacons {
        sightings.removeAll(keepingCapacity: true)
        isReading = try reader.read(into: &sightings)
        uuids.formUnion(sightings.lazy.map(\.beacon.uuid))
      }
    } catch {
      // The replay reports it.
      return uuids
    }
    return uuids
  }

  private func drawing(_ runs: [ReplayPlot.Run]) -> ReplayPlot {
    let catalogue = Catalogue(configurations.flatMap { $0.configuration?.venues ?? [] })
    let languages = configurations.lazy.compactMap(\.configuration).first?.languages ?? []
    return ReplayPlot(
      runs, title: capture.split(separator: "/").last.map(String.init) ?? capture,
      time: TerminalOutput.standardOutput.timeFormat(isUTC: times.utc)
    ) { catalogue.place(of: $0)?.name(preferring: languages) }
  }

  private func show(_ runs: [EventComparison.Run]) throws {
    let output = TerminalOutput.standardOutput
    if json {
      let events = runs.flatMap { run in run.events.map { (name: run.name, event: $0) } }
      for (name, event) in events.enumerated().sorted(by: { Self.order($0) < Self.order($1) }).map(\.element) {
        var record = event.record
        if runs.count > 1 { record.append("config", .text(name)) }
        try output.write(record.json + "\n")
      }
    } else if runs.count == 1 {
      try ReplayPrinter(json: false, regions: configurations[0].configuration?.regions, times).show(runs[0].events)
    } else {
      let text = EventComparisonText(style: output.style, time: output.timeFormat(isUTC: times.utc))
      try output.write(text.text(EventComparison(runs), width: output.width))
    }
  }

  private static func order(_ element: EnumeratedSequence<[(name: String, event: Event)]>.Element) -> (Instant, Int) {
    (element.element.event.time ?? .never, element.offset)
  }
}

/// The events and the course of one replay.
private final class ReplayResults: ReplayOutput {
  private(set) var events: [Event] = []
  private(set) var trace = ReplayTrace()

  func show(_ events: [Event]) { self.events += events }
  func hear(_ sightings: [Sighting]) { trace.hear(sightings) }
  func range(_ beacons: [RangedBeacon], at time: Instant) { trace.range(beacons, at: time) }
}
