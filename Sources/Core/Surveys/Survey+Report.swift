import BeaconAdvertising
import Beacons
import Instants
import RealModule
import Records
import SignalCalibration
import Venues

extension Survey {
  /// The share of loud advertisements whose loss is a fault, and the number of them that shows it.
  private static let (mostLoss, fewestLoud) = (0.3, 40.0)
  /// The 90th percentile of the RSSI in dBm below which a beacon is weak, and the number of packets that it requires.
  private static let weak = -88.0
  private static let fewestWeak: UInt64 = 10
  /// The deviations in dB of the loudest place of a walk, and of the least difference that is a wrong power.
  private static let (peakDeviation, leastDifference) = (4.0, 8.0)
  /// The difference in dB between the advertised power and that of a list that is more than rounding.
  private static let rounding = 1.5
  /// The minimum number of times that an address returns after another one before two devices are assumed to send.
  private static let fewestReturns = 3

  /// Returns the report of everything that was heard so far.
  ///
  /// - Parameters:
  ///   - source: the name of the capture, or of the daemon.
  ///   - lostPackets: those that the source reports as lost.
  ///   - fitsPlaces: false leaves out the powers and places of beacons that follow from known places, which takes time.
  ///   - adapterName: returns the name of an adapter; nil without one.
  public func report(
    source: String, lostPackets: Int = 0, fitsPlaces: Bool = true, adapterName: (UInt16) -> String?
  ) -> SurveyReport {
    let heard = logs.sorted { $0.key < $1.key }.map { Heard(identity: $0.key, log: $0.value, regularity: $0.value.regularity) }
    var report = SurveyReport()
    report.version = SurveyReport.formVersion
    (report.from, report.until) = (period?.lowerBound, period?.upperBound)
    report.source = source
    report.adapters = packets.sorted { $0.key < $1.key }.map { number, packets in
      var adapter = SurveyAdapter()
      (adapter.name, adapter.packets) = (adapterName(number) ?? "hci\(number)", packets)
      return adapter
    }
    report.packets = packets.values.reduce(0, +)
    report.lostPackets = UInt64(max(0, lostPackets))
    var interference = SurveyInterference()
    (interference.pauses, interference.pauseSeconds) = (pauses.count, pauses.seconds)
    interference.loss = Self.loudLoss(heard)
    report.interference = interference
    let fits = fitsPlaces ? Fits(powers: fittedPowers(), places: betterPlaces()) : Fits()
    report.beacons = heard.map { beacon($0, among: heard, fits) }
    if let expected {
      var expectation = SurveyExpectation()
      (expectation.source, expectation.beacons) = (expected.source, UInt64(expected.entries.count))
      report.expectation = expectation
      report.missing = missing(expected)
    }
    addPlaces(to: &report)
    return report
  }

  /// The values of beacons that follow from known places.
  private struct Fits {
    var powers: [BeaconIdentity: Estimate] = [:]
    var places: [BeaconIdentity: (planned: PlannedBeacon, point: PlanPoint)] = [:]
  }

  /// A beacon with its log.
  private struct Heard {
    let identity: BeaconIdentity
    let log: BeaconLog
    let regularity: GapLog.Regularity?

    /// The share of the advertisements that were lost while the beacon was loud; nil if there were too few.
    var loudLoss: Double? {
      guard let loud = regularity?.loud, loud.sent >= Survey.fewestLoud else { return nil }
      return 1 - loud.received / loud.sent
    }
  }

  private static func loudLoss(_ heard: some Sequence<Heard>) -> Double? {
    let loud = heard.compactMap { $0.loudLoss == nil ? nil : $0.regularity?.loud }
    let sent = loud.reduce(0) { $0 + $1.sent }
    return sent > 0 ? 1 - loud.reduce(0) { $0 + $1.received } / sent : nil
  }

  private func beacon(_ heard: Heard, among all: [Heard], _ fits: Fits) -> SurveyedBeacon {
    let (log, regularity) = (heard.log, heard.regularity)
    var beacon = SurveyedBeacon(heard.identity)
    let entry = expected.flatMap { list in list.index(of: heard.identity).map { list.entries[$0] } }
    // The name of a region of several beacons is not that of each of them.
    if let entry, entry.identity != nil { (beacon.name, beacon.place) = (entry.name, entry.place) }
    beacon.format = log.format == .iBeacon ? "iBeacon" : "AltBeacon"
    beacon.expected = expected.map { _ in entry != nil }
    beacon.count = log.count
    let length = (log.last - log.first).seconds
    if length > 0, log.count > 1 { beacon.rate = Double(log.count - 1) / length }
    (beacon.interval, beacon.jitter, beacon.loss) = (regularity?.interval, regularity?.jitter, regularity?.loss)
    if let median = log.level(0.5) {
      var rssi = SignalRange()
      (rssi.median, rssi.low, rssi.high) = (median, log.level(0.1), log.level(0.9))
      beacon.rssi = rssi
    }
    beacon.measuredPower = log.measuredPower.map(Int64.init)
    (beacon.firstHeard, beacon.lastHeard, beacon.senders) = (log.first, log.last, log.senderCount)
    if let power = fits.powers[heard.identity] ?? suggestedPower(log) {
      beacon.suggestedMeasuredPower = Int64(power.value.rounded())
      beacon.suggestedMeasuredPowerAccuracy = power.deviation
    }
    beacon.verdicts = verdicts(heard, entry, beacon, among: all)
    if let (planned, point) = fits.places[heard.identity] {
      let metres = (point.distance(to: planned.position) * 10).rounded() / 10
      beacon.placedAt = SurveyedPlace(SurveyPlace(level: planned.level, point: point))
      beacon.verdicts?.append(
        SurveyVerdict(.moved, "its signals fit a place at \(point.x), \(point.y) clearly better, \(metres) m from the planned one"))
    }
    return beacon
  }

  /// Returns the RSSI in dBm at 1 m by the loudest signal, which is assumed to be at the passing distance.
  private func suggestedPower(_ log: BeaconLog) -> Estimate? {
    guard let passingDistance, let peak = log.peak.level else { return nil }
    return Estimate(peak + 20 * Double.log10(passingDistance), deviation: Self.peakDeviation)
  }

  private func missing(_ expected: ExpectedBeacons) -> [MissingBeacon] {
    let found = Set(logs.keys.compactMap(expected.index))
    return expected.entries.enumerated().filter { !found.contains($0.offset) }.map { _, entry in
      var beacon = MissingBeacon()
      (beacon.uuid, beacon.major, beacon.minor) = (entry.constraint.uuid, entry.constraint.major, entry.constraint.minor)
      (beacon.name, beacon.place) = (entry.name, entry.place)
      return beacon
    }
  }

  // MARK: Verdicts

  private func verdicts(
    _ heard: Heard, _ entry: ExpectedBeacons.Entry?, _ beacon: SurveyedBeacon, among all: [Heard]
  ) -> [SurveyVerdict] {
    var verdicts: [SurveyVerdict] = []
    if let expected, entry == nil {
      verdicts.append(
        expected.hasUUID(heard.identity.uuid)
          ? SurveyVerdict(.unexpected, "the \(expected.source.noun) has other beacons of this UUID, but not this one")
          : SurveyVerdict(.foreign, "the \(expected.source.noun) has no beacon of this UUID"))
    }
    if heard.log.returns >= Self.fewestReturns {
      verdicts.append(
        SurveyVerdict(
          .duplicate,
          "\(heard.log.senderCount) senders took turns with its numbers \(heard.log.returns) times; give each beacon its own, or look for a copy"
        ))
    }
    if let verdict = powerVerdict(heard.log, entry, beacon) { verdicts.append(verdict) }
    if let loss = heard.loudLoss, loss >= Self.mostLoss {
      let others = Self.loudLoss(all.lazy.filter { $0.identity != heard.identity })
      if let others, others < loss / 2 {
        verdicts.append(
          SurveyVerdict(
            .interference, "\(loss.percent) of its advertisements were lost while it was loud, but \(others.percent) of those of others"))
      }
    }
    if let high = beacon.rssi?.high, high < Self.weak, heard.log.count >= Self.fewestWeak {
      verdicts.append(
        SurveyVerdict(.weak, "nine of ten packets were below \(Int(high) + 1) dBm; it is far away, hidden, or its battery is low"))
    }
    return verdicts
  }

  private func powerVerdict(_ log: BeaconLog, _ entry: ExpectedBeacons.Entry?, _ beacon: SurveyedBeacon) -> SurveyVerdict? {
    guard let advertised = log.measuredPower else { return nil }
    if let listed = entry?.measuredPower, abs(listed - Double(advertised)) > Self.rounding {
      return SurveyVerdict(.wrongPower, "it advertises \(advertised) dBm at 1 m, but the list has \(Int(listed.rounded())) dBm")
    }
    guard let suggested = beacon.suggestedMeasuredPower, let deviation = beacon.suggestedMeasuredPowerAccuracy,
      abs(Double(suggested) - Double(advertised)) > max(Self.leastDifference, 2 * deviation)
    else { return nil }
    return SurveyVerdict(.wrongPower, "it advertises \(advertised) dBm at 1 m, but its signal fits \(suggested) dBm")
  }
}

extension SurveyExpectation.Source {
  /// The noun for a sentence.
  fileprivate var noun: String { rawValue }
}

extension Double {
  /// A share as whole percent.
  fileprivate var percent: String { "\(Int((self * 100).rounded())) %" }
}
