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
  private let replaces: Bool
  private let times: TimeOptions

  /// - Parameters:
  ///   - plot: the path of the picture; nil for none.
  ///   - replaces: whether the picture replaces a file.
  init(
    _ capture: String, _ configurations: [NamedConfiguration], _ options: CaptureReplay.Options, json: Bool, plot: String?, replaces: Bool,
    _ times: TimeOptions
  ) {
    (self.capture, self.configurations, self.options) = (capture, configurations, options)
    (self.json, self.plot, self.replaces, self.times) = (json, plot, replaces, times)
  }

  func run() throws {
    guard try CaptureFile.opened(capture).size != nil else {
      throw Failure(.usage, "\(capture): a comparison and --plot read the capture several times; save it in a file")
    }
    if let plot, !replaces { try OutputFile.check(path: plot) }
    let runs = try configurations.map { try EventComparison.Run(name: $0.name, events: events($0.configuration)) }
    // A file that exists is replaced only when its new content is there.
    if let plot {
      let picture = try picture(runs)
      try OutputFile(path: plot, replaces: replaces).write(picture.text)
    }
    try show(runs)
  }

  private func events(_ configuration: Configuration?) throws -> [Event] {
    let events = EventCollector()
    var file = try CaptureFile.opened(capture)
    if file.isWalk() {
      var replay = try WalkReplay(file, configuration, options, to: events)
      try replay.run()
    } else {
      var replay = try CaptureReplay(file, configuration, options, to: events)
      try replay.run()
    }
    return events.events
  }

  // MARK: Picture

  private func picture(_ runs: [EventComparison.Run]) throws -> ReplayPlot {
    let counts = try sightingCounts()
    let beacons = counts.beacons(most: ReplayPlot.mostBeacons)
    let traces = try configurations.map { try trace(of: beacons, $0.configuration) }
    let catalogue = Catalogue(configurations.flatMap { $0.configuration?.venues ?? [] })
    let languages = configurations.lazy.compactMap(\.configuration).first?.languages ?? []
    return ReplayPlot(
      zip(runs, traces).map { ReplayPlot.Run(name: $0.name, trace: $1, events: $0.events) },
      title: capture.split(separator: "/").last.map(String.init) ?? capture, others: counts.beaconCount - beacons.count,
      time: TerminalOutput.standardOutput.timeFormat(isUTC: times.utc)
    ) { catalogue.place(of: $0)?.name(preferring: languages) }
  }

  /// Counts the sightings of each beacon; a walk of a location receiver has none.
  private func sightingCounts() throws(Failure) -> SightingCounts {
    var counts = SightingCounts()
    do throws(CaptureFileError) {
      var file = try CaptureFile(path: capture)
      guard !file.isWalk() else { return counts }
      var reader = CaptureReader(file)
      var sightings: [Sighting] = []
      var isReading = true
      while isReading {
        sightings.removeAll(keepingCapacity: true)
        isReading = try reader.read(into: &sightings)
        counts.add(sightings)
      }
    } catch {
      // A capture that was cut off is still a capture, and the replay has said so.
      guard error.isTruncation else { throw Failure(error) }
    }
    return counts
  }

  /// Ranges the beacons without regions: ranging for a picture must not change the events.
  private func trace(of beacons: [BeaconIdentity], _ configuration: Configuration?) throws -> ReplayTrace {
    let collector = TraceCollector(ReplayTrace(of: beacons))
    guard !beacons.isEmpty else { return collector.trace }
    let options = CaptureReplay.Options(drain: options.drain, summary: false)
    var replay = try CaptureReplay(
      CaptureFile.opened(capture), configuration, options, ranging: Set(beacons.map(\.uuid)), to: collector)
    try replay.run()
    return collector.trace
  }

  // MARK: Text

  private func show(_ runs: [EventComparison.Run]) throws {
    let output = TerminalOutput.standardOutput
    if json {
      for (name, event) in EventComparison(runs).events {
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
}

private final class EventCollector: ReplayOutput {
  private(set) var events: [Event] = []

  func show(_ events: [Event]) { self.events += events }
  func hear(_ sightings: [Sighting]) {}
  func range(_ beacons: [RangedBeacon], at time: Instant) {}
}

private final class TraceCollector: ReplayOutput {
  private(set) var trace: ReplayTrace

  init(_ trace: ReplayTrace) { self.trace = trace }

  func show(_ events: [Event]) {}
  func hear(_ sightings: [Sighting]) { trace.hear(sightings) }
  func range(_ beacons: [RangedBeacon], at time: Instant) { trace.range(beacons, at: time) }
}
