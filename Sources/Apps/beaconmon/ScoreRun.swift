import BeaconAdvertising
import Beacons
import Captures
import Failures
import IndoorPositioning
import MonitorConfiguration
import ProgramSupport
import Ranging
import Records
import Regions
import Scoring
import Terminal
import Venues

/// Replays captures of walks whose true positions are known, and prints their common score, one for each configuration.
struct ScoreRun {
  private let configurations: [NamedConfiguration]
  private let truths: [String]
  /// The file with the positions of the beacons; nil for those of a venue.
  private let beacons: String?
  private let isCalibrated: Bool
  private let json: Bool

  /// - Parameter isCalibrated: whether the levels of the receivers are known at venues.
  init(_ configurations: [NamedConfiguration], truths: [String], beacons: String?, isCalibrated: Bool, json: Bool) {
    (self.configurations, self.truths, self.beacons, self.json) = (configurations, truths, beacons, json)
    self.isCalibrated = isCalibrated
  }

  func run(_ captures: [String]) throws {
    let scores = try configurations.map { try (name: $0.name, score: score(captures, $0.configuration)) }
    let output = TerminalOutput.standardOutput
    guard json else {
      return try output.write(WalkScoreText(style: output.style).text(scores, width: output.width))
    }
    for (name, score) in scores {
      var record = score.record
      if scores.count > 1 { record.append("config", .text(name)) }
      try output.write(record.json + "\n")
    }
  }

  private func score(_ captures: [String], _ configuration: Configuration?) throws -> WalkScore {
    // A config without regions, such as one that only selects a method, is scored like none.
    var series = WalkSeries(
      regions: configuration?.regions.compactMap(\.beaconRegion) ?? [], places: configuration?.regions.compactMap(\.placeRegion) ?? [],
      venues: configuration?.venues ?? [])
    let walks = try zip(captures, truths).map { capture, path throws(Failure) in
      let truth = try WalkFiles.parse(path) { text throws(PositionTableError) in try WalkTruth(csv: text) }
      var roster = AdapterRoster(configuration?.adapters ?? [])
      let sightings = try WalkFiles.sightings(capture, roster: &roster)
      try WalkFiles.requireOverlap(sightings, capture, truth, path)
      return (capture: capture, path: path, truth: truth, roster: roster, sightings: sightings)
    }
    let (positions, source) = try positions(configuration, heard: walks.reduce(into: []) { $0.formUnion($1.sightings.map(\.beacon)) })
    for (capture, path, truth, roster, sightings) in walks {
      let trial = WalkTrial(sightings, truth: truth, positions: positions)
      guard trial.isMeaningful else {
        throw Failure(
          .dataError,
          "\(capture): no beacon of \(source) is heard later than 3 seconds after the start of \(path); check the minors and times of the files"
        )
      }
      var settings = configuration?.ranging(of: roster) ?? RangingSettings()
      if isCalibrated { settings.isCalibrated = true }
      // The position of a calibrated receiver does not depend on what was learned.
      series.add(trial, settings)
    }
    guard let score = series.score else { throw Failure(.usage, "there is no capture to score") }
    return score
  }

  /// Returns the positions of the beacons with their source: the file, or the only venue whose beacons are heard.
  private func positions(
    _ configuration: Configuration?, heard: Set<BeaconIdentity>
  ) throws(Failure) -> (positions: BeaconPositions, source: String) {
    if let beacons {
      return (try WalkFiles.parse(beacons) { text throws(PositionTableError) in try BeaconPositions(csv: text) }, beacons)
    }
    do throws(BeaconPositions.VenueChoiceError) {
      let venue = try BeaconPositions.venue(among: configuration?.venues ?? [], heard: heard)
      return (BeaconPositions(venue), "the venue \(venue.id)")
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  fileprivate init(_ error: BeaconPositions.VenueChoiceError) {
    switch error {
    case .noBeacons:
      self.init(.usage, "--score requires --beacons, because no venue of the config has beacons; name a file with their positions")
    case .severalVenues(let ids):
      self.init(.usage, "the captures have beacons of several venues: \(ids.joined(separator: ", ")); name a file with --beacons")
    }
  }
}
