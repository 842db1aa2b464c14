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
import Setup
import SignalCalibration
import Terminal
import Venues

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fit path loss and offsets to signals at known distances.",
    discussion: """
      Distances follow from the signal strength of beacons, which differ by up to 12 dB, and of receivers, which differ as much. This \
      command measures both, and how fast the signal fades in this room.

      Without a capture, the command guides you: stand at several distances from a beacon, type each, and stand still for 20 seconds while \
      the daemon listens. It names the missing distance. Or record captures at known distances: 1, 2, 4 and 8 m show both the offset and \
      the fading. Or record a walk whose true positions are known, with the positions of the beacons.

      In a venue, --route names places or nodes that you pass in this order, straight from each to the next. Walk at a steady speed, and \
      press Enter at each. The distances follow from the venue file. With a capture, --passed has the seconds from its start at which you \
      passed them; without it, the whole capture is one steady walk.

      The result goes to conf.d/calibration.toml beside the config, after confirmation. The config itself stays as it is. Values that only \
      the previous calibration has measured stay, and its file is kept as calibration.toml.old. Without a terminal nothing is written, \
      unless --yes is given.

      Exit codes: 65 if the measurements do not suffice, 66 if the input ended before the last answer, 69 without a beacon in range, 130 \
      after Ctrl-C.

      Examples:
        sudo beaconmon calibrate
        beaconmon record 1m.btsnoop --duration 20s
        sudo beaconmon calibrate --route entrance,exhibit-3,desk --venue gallery.toml
        beaconmon calibrate 1m.btsnoop 3m.btsnoop --distance 1 --distance 3 --major 1 --minor 5
        beaconmon calibrate walk.btsnoop --truth walk.truth.csv --beacons beacons.csv
        beaconmon calibrate walk.btsnoop --truth walk.truth.csv --beacons beacons.csv --yes --config ./beaconmon.toml
      """)

  @Argument(help: ArgumentHelp("btsnoop captures. Without any, the command measures interactively with the daemon.", valueName: "capture"))
  var captures: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The distance in metres from the beacon in a capture; once for each, in their order.", valueName: "metres"))
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
    help: ArgumentHelp("Walk past these places or nodes of the venue, straight from each to the next.", valueName: "id,id,..."))
  var route: String?

  @Option(help: ArgumentHelp("The venue file of the route. Defaults to the only venue of the config.", valueName: "file"))
  var venue: String?

  @Option(
    help: ArgumentHelp("The seconds from the start of the capture at which the places of the route were passed.", valueName: "s,s,..."))
  var passed: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The height of the receiver above the floor on the route, 0 to 3. Defaults to 1.5.", valueName: "metres"))
  var height: Double?

  @Option(
    help: ArgumentHelp(
      "Without captures: the time of one measurement, 1s to 10m. Defaults to 20s.", valueName: "time"), transform: Span.parse)
  var listen: Span?

  @Option(help: ArgumentHelp("The config beside which the calibration is written. Defaults to that of the system.", valueName: "file"))
  var config: String?

  @Flag(help: "Write the calibration without asking.")
  var yes = false

  @Flag(help: "Print one JSON object instead of the text.")
  var json = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    if route != nil { return try validateRoute() }
    if venue != nil || passed != nil || height != nil { throw ValidationError("--venue, --passed and --height require --route") }
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

  private func validateRoute() throws {
    if !distance.isEmpty || !truth.isEmpty || beacons != nil || uuid != nil || major != nil || minor != nil || listen != nil {
      throw ValidationError("--route cannot be combined with --distance, --truth, --beacons, --listen or a beacon")
    }
    if captures.count > 1 { throw ValidationError("--route requires one capture, or none for a walk with the daemon") }
    if captures.isEmpty, passed != nil || json || yes {
      throw ValidationError("--passed, --json and --yes require a capture; without one the command asks questions")
    }
    if !captures.isEmpty, bus.isChosen {
      throw ValidationError("a capture cannot be combined with a bus, because it does not use the daemon")
    }
    if let height, !(0...3).contains(height) { throw ValidationError("--height: \(height) is not a height of 0 to 3 m") }
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
    if let route { return try walk(RouteWalk(route, venue: venue, passed: passed, height: height), main, configuration) }
    guard !captures.isEmpty else { return try measure(main, configuration) }
    var (samples, roster) = ([SignalSample](), AdapterRoster())
    var standing: [[SignalSample]] = []
    for index in captures.indices {
      // Adapters keep their numbers from one capture to the next.
      var sightings = try WalkFiles.sightings(captures[index], roster: &roster)
      if truth.isEmpty {
        sightings = try oneBeacon(sightings, in: captures[index])
        standing.append(SignalSample.samples(of: sightings, at: distance[index]))
        samples += standing[index]
      } else {
        samples += try walking(sightings, index)
      }
    }
    let fitted = SignalFit.calibration(of: samples) { configuration.rssiOffset(ofAdapterNamed: roster.name(of: $0)) }
    guard var calibration = fitted else {
      throw Failure(.dataError, "no beacon was heard at a known distance of 0.25 to 100 m; check the times and minors of the files")
    }
    calibration.shortages += SignalCalibration.repetitions(in: standing)
    let files = truth.isEmpty ? distance.map { "\($0) m" }.joined(separator: ", ") : "\(captures.count) walks with true positions"
    try finish(calibration, roster, origin: "Measured with \(files).", main, configuration)
  }

  /// Shows the result of captures, and writes it after confirmation.
  private func finish(
    _ calibration: SignalCalibration, _ roster: AdapterRoster, origin: String, _ main: ConfigurationFile, _ configuration: Configuration
  ) throws {
    let output = TerminalOutput.standardOutput
    try output.write(
      json
        ? calibration.record(adapter: roster.name).json + "\n"
        : CalibrationText(style: output.style, width: output.width).text(calibration, adapter: roster.name))
    try calibration.requireValues()
    try CalibrationWriting(main.path, configuration).write(calibration.offsets, origin: origin, asks: !yes, address: roster.address)
  }

  /// Calibrates on a route of a venue, with the daemon or a capture.
  private func walk(_ route: RouteWalk, _ main: ConfigurationFile, _ configuration: Configuration) throws {
    let walk = try route.walk(configuration)
    let origin = "Measured on the route \(walk.stations.map(\.name).joined(separator: ", "))."
    guard let capture = captures.first else {
      let run = try RouteCalibration(bus.address, configuration) { calibration, roster in
        try CalibrationWriting(main.path, configuration).write(calibration.offsets, origin: origin, asks: false, address: roster.address)
      }
      return try run.run(walk, height: route.height)
    }
    var roster = AdapterRoster()
    let samples = try route.samples(of: WalkFiles.sightings(capture, roster: &roster), in: capture, walk)
    let calibration = try SignalCalibration.onRoute(samples) { configuration.rssiOffset(ofAdapterNamed: roster.name(of: $0)) }
    try finish(calibration, roster, origin: origin, main, configuration)
  }

  /// Measures interactively with the daemon.
  private func measure(_ main: ConfigurationFile, _ configuration: Configuration) throws {
    let machine = LiveCalibration(bus.address, configuration) { calibration, roster in
      try CalibrationWriting(main.path, configuration).write(
        calibration.offsets, origin: "Measured at distances from beacons.", asks: false, address: roster.address)
    }
    let run = CalibrationRun(machine, SetupTerminal(), measuringFor: listen ?? .seconds(20))
    if try run.run(target: CalibrationDropIn.name, isWanted: isWanted) == .interrupted { throw try LiveCalibration.interruption() }
  }

  private func isWanted(_ beacon: BeaconIdentity) -> Bool {
    (uuid ?? beacon.uuid) == beacon.uuid && (major ?? beacon.major) == beacon.major && (minor ?? beacon.minor) == beacon.minor
  }

  /// Returns the sightings of the one beacon at the distance.
  private func oneBeacon(_ sightings: [Sighting], in capture: String) throws(Failure) -> [Sighting] {
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
    try WalkFiles.requireOverlap(sightings, captures[index], walk, truth[index])
    let samples: [SignalSample]
    do throws(PositionTableError) { samples = try walk.samples(of: sightings, positions) } catch {
      throw Failure(.dataError, "\(beacons ?? ""): \(error.message)")
    }
    guard !samples.isEmpty else {
      throw Failure(
        .dataError, "\(captures[index]): no beacon of \(beacons ?? "") is heard during \(truth[index]); check the minors")
    }
    return samples
  }
}
