import ArgumentParser
import BeaconAdvertising
import Beacons
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Ranging
import Records
import Scoring
import SignalCalibration
import Terminal
import Venues

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fit path loss and offsets to signals at known distances.",
    discussion: """
      Distances follow from the signal strength of beacons, which differ by up to 12 dB, and of receivers, which differ as much. This \
      command measures both, and how fast the signal fades in this room.

      Without a capture, it asks: stand at several distances from a beacon, type each, and stand still for 20 seconds while the daemon \
      listens. It says which distance is missing. Or record captures at known distances: 1, 2, 4 and 8 m show both the offset and the \
      fading. Or record a walk whose true positions are known, with the positions of the beacons.

      The result goes to conf.d/calibration.toml beside the config, after a question. The config itself stays as it is. Values that only \
      the previous calibration has measured stay, and its file is kept as calibration.toml.old. Without a terminal nothing is written, \
      unless --yes is given.

      Exit codes: 65 if the measurements do not suffice, 66 if the input ended before the last answer, 69 without a beacon in range, 130 \
      after Ctrl-C.

      Examples:
        sudo beaconmon calibrate
        beaconmon record 1m.btsnoop --duration 20s
        beaconmon calibrate 1m.btsnoop 3m.btsnoop --distance 1 --distance 3 --major 1 --minor 5
        beaconmon calibrate walk.btsnoop --truth walk.truth.csv --beacons beacons.csv
        beaconmon calibrate walk.btsnoop --truth walk.truth.csv --beacons beacons.csv --yes --config ./beaconmon.toml
      """)

  @Argument(help: ArgumentHelp("btsnoop captures. Default: measure with the daemon, by questions.", valueName: "capture"))
  var captures: [String] = []

  @Option(help: ArgumentHelp("The distance in metres from the beacon in a capture; once for each, in their order.", valueName: "metres"))
  var distance: [Double] = []

  @Option(help: ArgumentHelp("The UUID of the beacon at the distances.", valueName: "uuid"), transform: BeaconUUID.parse)
  var uuid: BeaconUUID?

  @Option(help: ArgumentHelp("The major of the beacon at the distances.", valueName: "N"), transform: UInt16.parse)
  var major: UInt16?

  @Option(help: ArgumentHelp("The minor of the beacon at the distances.", valueName: "N"), transform: UInt16.parse)
  var minor: UInt16?

  @Option(
    help: ArgumentHelp(
      "The true positions of a capture as CSV: unix_time_s,x_m,y_m,z_m. Once for each capture, in their order.", valueName: "file"))
  var truth: [String] = []

  @Option(
    help: ArgumentHelp(
      "The positions of the beacons as CSV: minor,x_m,y_m,z_m; columns uuid and major are optional.", valueName: "file"))
  var beacons: String?

  @Option(
    help: ArgumentHelp(
      "Without captures: the time of one measurement, 1s to 10m. Default: "
        + "20s.", valueName: "time"), transform: Span.parse)
  var listen: Span?

  @Option(help: ArgumentHelp("The config beside which the calibration is written. Default: that of the system.", valueName: "file"))
  var config: String?

  @Flag(help: "Write the calibration without asking.")
  var yes = false

  @Flag(help: "Print one JSON object instead of the text.")
  var json = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    guard !captures.isEmpty else { return try validateLive() }
    if listen != nil || bus.isChosen { throw ValidationError("--listen and the options of a bus are for a calibration without captures") }
    if truth.isEmpty == distance.isEmpty { throw ValidationError("give --truth with --beacons, or --distance, once for each capture") }
    let count = max(truth.count, distance.count)
    if count != captures.count {
      let option = truth.isEmpty ? "--distance" : "--truth"
      throw ValidationError("\(option) is required once for each capture: there are \(captures.count) captures and \(count) of them")
    }
    if truth.isEmpty != (beacons == nil) { throw ValidationError("--truth and --beacons require each other") }
    if !truth.isEmpty, uuid != nil || major != nil || minor != nil {
      throw ValidationError("--uuid, --major and --minor require --distance: a walk is near several beacons")
    }
    if let bad = distance.first(where: { !SignalSample.distances.contains($0) }) {
      throw ValidationError("--distance: \(bad) is not a distance of 0.25 to 100 m")
    }
  }

  private func validateLive() throws {
    if !distance.isEmpty || !truth.isEmpty || beacons != nil {
      throw ValidationError("--distance, --truth and --beacons require captures; \"beaconmon record near.btsnoop\" records one")
    }
    if json || yes { throw ValidationError("--json and --yes require captures; without them the command asks questions") }
    if let listen, listen < .seconds(1) || listen > .seconds(600) { throw ValidationError("--listen: must be 1s to 10m") }
    if minor != nil, major == nil { throw ValidationError("--minor requires --major, because a minor is only unique within a major") }
  }

  func run() throws {
    let main = ConfigurationFile(flag: config, isSession: bus.session && config == nil, isOptional: true)
    let configuration = try main.read().configuration
    guard !captures.isEmpty else { return try measure(main, configuration) }
    var (samples, roster) = ([SignalSample](), AdapterRoster())
    for index in captures.indices {
      // Adapters keep their numbers from one capture to the next.
      var sightings = try WalkFiles.sightings(captures[index], roster: &roster)
      if truth.isEmpty {
        sightings = try standing(sightings, in: captures[index])
        samples += SignalSample.samples(of: sightings, at: distance[index])
      } else {
        samples += try walking(sightings, index)
      }
    }
    let fitted = SignalFit.calibration(of: samples) { configuration.rssiOffset(ofAdapterNamed: roster.name(of: $0)) }
    guard let calibration = fitted else {
      throw Failure(.dataError, "no beacon was heard at a known distance of 0.25 to 100 m; check the times and minors of the files")
    }
    let output = TerminalOutput.standardOutput
    try output.write(
      json
        ? calibration.record(adapter: roster.name).json + "\n"
        : CalibrationText(style: output.style, width: output.width).text(calibration, adapter: roster.name))
    guard calibration.exponent != nil || !calibration.beacons.isEmpty else {
      throw Failure(.dataError, "the captures do not suffice for a calibration, and nothing was written")
    }
    let files = truth.isEmpty ? distance.map { "\($0) m" }.joined(separator: ", ") : "\(captures.count) walks with true positions"
    try CalibrationWriting(main.path, configuration).write(calibration.offsets, origin: "Measured with \(files).", asks: !yes) { number in
      roster.name(of: number).flatMap { BluetoothAddress($0) }
    }
  }

  /// Measures with the daemon, by questions.
  private func measure(_ main: ConfigurationFile, _ configuration: Configuration) throws {
    let run = LiveCalibration(bus.address, for: listen ?? .seconds(20), configuration, isWanted: isWanted)
    try run.run(target: CalibrationDropIn.name) { calibration, roster in
      try CalibrationWriting(main.path, configuration).write(
        calibration.offsets, origin: "Measured at distances from beacons.", asks: false
      ) {
        number in roster.name(of: number).flatMap { BluetoothAddress($0) }
      }
    }
  }

  private func isWanted(_ beacon: BeaconIdentity) -> Bool {
    (uuid ?? beacon.uuid) == beacon.uuid && (major ?? beacon.major) == beacon.major && (minor ?? beacon.minor) == beacon.minor
  }

  /// Returns the sightings of the one beacon at the distance.
  private func standing(_ sightings: [Sighting], in capture: String) throws(Failure) -> [Sighting] {
    let found = sightings.filter { isWanted($0.beacon) }
    let beacons = Set(found.map(\.beacon)).sorted()
    guard let first = beacons.first else {
      throw Failure(.dataError, "\(capture): does not contain the beacon; \"beaconmon replay \(capture) --summary\" lists its beacons")
    }
    guard beacons.count == 1 else {
      throw Failure(
        .usage,
        "\(capture): contains \(beacons.count) such beacons; choose the one at the distance, such as with "
          + "--uuid \(first.uuid) --major \(first.major) --minor \(first.minor)")
    }
    return found
  }

  private func walking(_ sightings: [Sighting], _ index: Int) throws(Failure) -> [SignalSample] {
    let positions = try WalkFiles.parse(beacons ?? "") { text throws(PositionTableError) in try BeaconPositions(csv: text) }
    let walk = try WalkFiles.parse(truth[index]) { text throws(PositionTableError) in try WalkTruth(csv: text) }
    let samples: [SignalSample]
    do throws(PositionTableError) { samples = try walk.samples(of: sightings, positions) } catch {
      throw Failure(.dataError, "\(beacons ?? ""): \(error.message)")
    }
    guard !samples.isEmpty else {
      throw Failure(
        .dataError, "\(captures[index]): no beacon of \(beacons ?? "") is heard during \(truth[index]); check minors and times")
    }
    return samples
  }
}
