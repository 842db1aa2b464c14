import BeaconHealth
import Beacons
import Departures
import Headings
import IndoorPositioning
import Instants
import LearnedState
import Logging
import Monitoring
import Orientation
import Ranging
import Synchronization
import Venues
import Wayfinding

/// The daemon's file of learned offsets, of calibrations and of the advice to leave that was given.
///
/// A lost offset is learned again, and lost advice is given again, so only a wrong one is a fault.
struct LearnedStoredFile: StoredFile {
  struct Truth {
    let receivers: [LearnedReceiver]
    /// The state before the latest one.
    /// The log of a crashed process holds it, whole in itself, if the end of the log is damaged.
    let earlier: [LearnedReceiver]

    var all: [LearnedReceiver] { receivers + earlier }
  }

  /// The receivers of each file that was written.
  /// A file does not know its machine, so the log of another one may bring in the content of that, and nothing but that.
  private static let written = Mutex<[[LearnedReceiver]]>([])

  let name = "state"
  let fileName = "state.db"
  let isDatabase = true

  private static let log = Logger(label: "state") { _ in SwiftLogNoOpLogHandler() }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    var truth: [LearnedReceiver] = []
    var earlier: [LearnedReceiver] = []
    var all: [LearnedReceiver] = []
    do {
      let store = LearnedStore(path: "\(folder)/\(fileName)", log: Self.log)
      for form in [Form.older, .crashed] {
        let receivers = Self.receivers(using: &random)
        store.save(receivers)
        // The store keeps the receivers that it knows and that are not among these.
        truth = receivers + truth.filter { known in !receivers.contains { $0.venue == known.venue && $0.adapter == known.adapter } }
        store.save(Self.placements(truth))
        for calibration in Self.calibrations(truth) { _ = store.save(calibration, most: 16) }
        _ = store.save(Self.departures(truth))
        store.save(Self.beacons(truth), at: Self.place)
        store.save(Self.refusals(truth))
        all += truth
        try keep(form, Truth(receivers: truth, earlier: earlier))
        earlier = truth
      }
    }
    try keep(.closed, Truth(receivers: truth, earlier: []))
    let written = all
    Self.written.withLock { $0.append(written) }
  }

  /// Returns evidence with the numbers of the receivers, so that a wrong one is noticed.
  private static func placements(_ receivers: [LearnedReceiver]) -> [String: [PlacementEvidence]] {
    Dictionary(grouping: receivers, by: \.venue).mapValues { receivers in
      receivers.flatMap { receiver in
        receiver.radio.transmitters.sorted { $0.key < $1.key }.map {
          PlacementEvidence(transmitter: $0.key, plan: receiver.adapter, seconds: receiver.radio.seconds, sums: $0.value.sums)
        }
      }
    }
  }

  /// Returns calibrations with the numbers of the receivers, so that a wrong one is noticed.
  private static func calibrations(_ receivers: [LearnedReceiver]) -> [StoredCalibration] {
    receivers.compactMap { receiver in
      let (size, count) = (receiver.level.offset, Double(receiver.radio.seconds))
      let rows = [1 + size / 100, 0.01, 0, 0.01, 1, size / 1000, 0, size / 1000, 1 - size / 100]
      guard let matrix = SpaceMatrix(rowMajor: rows) else { return nil }
      return MagneticCalibration(
        offset: SpaceVector(size, -size, count / 100), matrix: matrix, strength: 40 + size, strengthOfPlace: count > 5000 ? 48 : nil,
        sineOfInclination: 0.9, residual: 0.5, covariance: (0..<144).map { Double($0) * size / 1e6 }
      )
      .map { StoredCalibration(device: receiver.adapter, time: Instant(microseconds: Int64(receiver.radio.seconds)), $0) }
    }
  }

  /// Returns advice with the numbers of the receivers, so that a wrong one is noticed.
  private static func departures(_ receivers: [LearnedReceiver]) -> [StoredDeparture] {
    receivers.compactMap { receiver in
      let seconds = Int(receiver.radio.seconds)
      return DepartureAdvisor.Stage(rawValue: seconds % 4).map {
        StoredDeparture(
          id: .init(venue: receiver.venue, place: receiver.adapter, start: Instant(microseconds: Int64(seconds) * 1_000_000)), stage: $0)
      }
    }
  }

  private static let place = "hci"

  /// Returns expected beacons with the numbers of the receivers, so that a wrong one is noticed.
  private static func beacons(_ receivers: [LearnedReceiver]) -> [LearnedBeacon] {
    receivers.enumerated().map { number, receiver in
      let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: UInt16(number))
      return LearnedBeacon(
        beacon: beacon, numbers: [Double(receiver.radio.seconds), receiver.level.offset],
        levels: [receiver.adapter: [receiver.level.offset]])
    }
  }

  private static let most = 20

  private static func identity(_ minor: Int) -> String { "8ec76ea3-6668-48da-9866-75be8bc86f4d/1/\(minor)" }

  /// The venue of the receivers.
  private static let model = try? RoomModel(
    levels: [RoomLevel(ordinal: 0)],
    transmitters: (0..<most).map {
      RoomTransmitter(identity: identity($0), point: PlanPoint(x: Double($0), y: 1), height: 2.6, power: -59)
    })

  private static func receivers(using random: inout some RandomNumberGenerator) -> [LearnedReceiver] {
    (0..<Int.random(in: 1...4, using: &random)).map { number in
      var transmitters: [String: LearnedRadio.Transmitter] = [:]
      for minor in 0..<Int.random(in: 1...most, using: &random) {
        let (weight, x) = (Double.random(in: 0.1...8, using: &random), Double.random(in: -20...0, using: &random))
        let (y, xy) = (Double.random(in: -1000...1000, using: &random), Double.random(in: -1000...1000, using: &random))
        transmitters[identity(minor)] = LearnedRadio.Transmitter(
          plan: "0 \(Double(minor)) 1.0 2.6 -59.0", sums: [weight, weight * x, weight * (x * x + 1), y, xy])
      }
      return LearnedReceiver(
        venue: "venue \(number)", adapter: "00:11:22:33:44:0\(number)",
        level: ConfiguredLevel(offset: .random(in: -20...20, using: &random), isCalibrated: .random(using: &random)),
        radio: LearnedRadio(
          transmitters: transmitters, seconds: .random(in: 1...10_000, using: &random), isDistrusted: .random(using: &random)))
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    var (loaded, found): ([LearnedReceiver], [String: [PlacementEvidence]]) = ([], [:])
    var (calibrated, advised, expected): ([StoredCalibration], [StoredDeparture], [LearnedBeacon]) = ([], [], [])
    var refused: [RefusedOffset] = []
    do {
      let store = LearnedStore(path: "\(folder)/\(fileName)", log: Self.log)
      (loaded, found, calibrated) = (store.load() ?? [], store.loadPlacements() ?? [:], store.loadCalibrations() ?? [])
      advised = store.loadDepartures() ?? []
      expected = store.loadBeacons(at: Self.place) ?? []
      refused = store.loadRefusals() ?? []
    }
    // Without a log, nothing of another file can be in this one.
    let strangers = Files.exists("\(untouched)/\(fileName)-wal") ? Self.written.withLock { $0 } : []
    verdict.compare(with: [truths.flatMap(\.all)] + strangers) { receivers, verdict in
      Self.compare(loaded, found, calibrated, with: receivers, &verdict)
      let departures = Self.departures(receivers)
      for entry in advised { verdict.expect(departures.contains(entry), "\(entry.id.place) has wrong advice") }
      Self.compare(expected, with: receivers, &verdict)
      let refusals = Self.refusals(receivers)
      for entry in refused { verdict.expect(refusals.contains(entry), "\(entry.key.venue) has a wrong refused offset") }
    }
    verdict.expect(Set(calibrated.map(\.device)).count == calibrated.count, "a device has two calibrations")
    verdict.expect(Set(advised.map(\.id)).count == advised.count, "an appointment has two stages")
    verdict.reportedLosses += max(0, (truths.map(\.receivers.count).max() ?? 0) - advised.count)
    verdict.reportedLosses += max(0, (truths.map { Self.calibrations($0.receivers).count }.max() ?? 0) - calibrated.count)
    Self.checkOffsets(of: loaded, &verdict)
    func offsets(_ receivers: [LearnedReceiver]) -> Int { receivers.reduce(0) { $0 + $1.radio.transmitters.count } }
    verdict.reportedLosses += max(0, (truths.map { offsets($0.receivers) }.max() ?? 0) - offsets(loaded))
    let count = truths.map(\.receivers.count).max() ?? 0
    if loaded.count < count { verdict.reportedLosses += count - loaded.count }

    let next = LearnedReceiver(
      venue: "next", adapter: "hci0",
      radio: LearnedRadio(
        transmitters: ["t": LearnedRadio.Transmitter(plan: "0", sums: [1, 2, 3, 4, 5])], seconds: 1))
    let (nextCalibrations, nextDepartures) = (Self.calibrations([next]), Self.departures([next]))
    let warnings = Warnings()
    do {
      let store = LearnedStore(path: "\(folder)/\(fileName)", log: warnings.logger)
      store.save([next])
      for calibration in nextCalibrations { _ = store.save(calibration, most: 16) }
      _ = store.save(nextDepartures)
    }
    let store = LearnedStore(path: "\(folder)/\(fileName)", log: Self.log)
    let isLost =
      store.load()?.contains(next) != true || nextCalibrations.contains { store.loadCalibrations()?.contains($0) != true }
      || store.loadDepartures() != nextDepartures
    // A pipe in place of the file is not moved aside; the daemon keeps everything in memory, and logs it.
    verdict.expect(!isLost || warnings.count.withLock { $0 } > 0, "what is learned next is lost")
    return verdict
  }
}

extension LearnedStoredFile {
  /// The refused offsets of receivers, and those that they suggest for a beacon.
  private static func refusals(_ receivers: [LearnedReceiver]) -> [RefusedOffset] {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)
    return receivers.flatMap { receiver in
      [nil, beacon].map {
        RefusedOffset(.init(venue: receiver.venue, adapter: receiver.adapter, beacon: $0), offset: receiver.level.offset)
      }
    }
  }
}

extension LearnedStoredFile {
  /// Checks that a receiver without its offsets learns again, and that its seconds do not count as if they were there.
  private static func checkOffsets(of receivers: [LearnedReceiver], _ verdict: inout Verdict) {
    guard let model else { return verdict.expect(false, "the venue of the receivers has no model") }
    for receiver in receivers where receiver.radio.transmitters.count < IndoorEngine.leastHeard {
      let learner = RadioLearner(receiver.radio, model: model, isCalibrated: receiver.level.isCalibrated)
      verdict.expect(learner.seconds == 0, "\(receiver.venue) has lost its offsets, and \(learner.seconds) s of them count")
    }
  }

  /// Compares expected beacons with all that were written. A row alone can be lost.
  private static func compare(_ expected: [LearnedBeacon], with receivers: [LearnedReceiver], _ verdict: inout Verdict) {
    // Each stage numbers its own receivers from zero.
    let numbers = receivers.map { [Double($0.radio.seconds), $0.level.offset] }
    for entry in expected {
      verdict.expect(entry.numbers.isEmpty || numbers.contains(entry.numbers), "\(entry.beacon) has wrong numbers")
      for (adapter, levels) in entry.levels {
        verdict.expect(
          receivers.contains { $0.adapter == adapter && [$0.level.offset] == levels }, "\(entry.beacon) has wrong levels of \(adapter)")
      }
    }
  }

  /// Compares the content of a file with all receivers that were written to one file.
  private static func compare(
    _ loaded: [LearnedReceiver], _ found: [String: [PlacementEvidence]], _ calibrated: [StoredCalibration],
    with receivers: [LearnedReceiver], _ verdict: inout Verdict
  ) {
    let calibrations = calibrations(receivers)
    for entry in calibrated { verdict.expect(calibrations.contains(entry), "\(entry.device) has a wrong calibration") }
    let placements = placements(receivers)
    for (venue, evidence) in found {
      for entry in evidence {
        verdict.expect(placements[venue]?.contains(entry) == true, "\(venue) has wrong evidence about \(entry.transmitter)")
      }
    }
    for receiver in loaded {
      let rows = receivers.filter { $0.venue == receiver.venue && $0.adapter == receiver.adapter }
      verdict.expect(rows.contains { $0.level == receiver.level }, "\(receiver.venue) has a wrong configured level")
      let known = rows.map(\.radio)
      verdict.expect(
        known.contains { $0.seconds == receiver.radio.seconds && $0.isDistrusted == receiver.radio.isDistrusted },
        "\(receiver.venue) has wrong seconds")
      for (transmitter, sums) in receiver.radio.transmitters {
        verdict.expect(known.contains { $0.transmitters[transmitter] == sums }, "\(receiver.venue) has wrong offsets of \(transmitter)")
      }
    }
  }
}

/// Counts the lines that a store logs.
final class Warnings: Sendable {
  let count = Mutex(0)

  var logger: Logger { Logger(label: "state") { _ in Handler(warnings: self) } }

  private struct Handler: LogHandler {
    let warnings: Warnings
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { warnings.count.withLock { $0 += 1 } }
  }
}
