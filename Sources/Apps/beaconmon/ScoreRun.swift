import BeaconAdvertising
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

/// Replays captures of walks whose true positions are known, and prints their common score.
struct ScoreRun {
  private let configuration: Configuration?
  private let truths: [String]
  private let beacons: String
  private let isCalibrated: Bool
  private let json: Bool

  /// - Parameter isCalibrated: whether the levels of the receivers are known at venues.
  init(_ configuration: Configuration?, truths: [String], beacons: String, isCalibrated: Bool, json: Bool) {
    (self.configuration, self.truths, self.beacons, self.json) = (configuration, truths, beacons, json)
    self.isCalibrated = isCalibrated
  }

  func run(_ captures: [String]) throws {
    let positions = try WalkFiles.parse(beacons) { text throws(PositionTableError) in try BeaconPositions(csv: text) }
    // A config without regions, such as one that only selects a method, is scored like none.
    let configured = configuration?.regions.compactMap(\.beaconRegion) ?? []
    let places = configuration?.regions.compactMap(\.placeRegion) ?? []
    let regions = configured.isEmpty && places.isEmpty ? nil : configured
    var total: WalkScore?
    // A daemon keeps the learned offsets from one walk to the next.
    var learned: [String: [UInt16: LearnedRadio]] = [:]
    for (capture, path) in zip(captures, truths) {
      let truth = try WalkFiles.parse(path) { text throws(PositionTableError) in try WalkTruth(csv: text) }
      var roster = AdapterRoster(configuration?.adapters ?? [])
      let sightings = try WalkFiles.sightings(capture, roster: &roster)
      let trial = WalkTrial(sightings, truth: truth, positions: positions)
      guard trial.isMeaningful else {
        throw Failure(
          .dataError,
          "\(capture): no beacon of \(beacons) is heard later than 3 seconds after the start of \(path); check the minors and times of the files"
        )
      }
      var settings = configuration?.ranging(of: roster) ?? RangingSettings()
      if isCalibrated { settings.isCalibrated = true }
      // The position of a calibrated receiver does not depend on what was learned.
      let score = trial.score(settings, regions: regions, places: places, venues: configuration?.venues ?? [], learned: &learned)
      if total == nil { total = score } else { total? += score }
    }
    guard let record = total?.record else { return }
    let output = TerminalOutput.standardOutput
    try output.write(json ? record.json + "\n" : WalkScoreText(style: output.style).text(record))
  }
}
