import BeaconAdvertising
import Instants
import Simulation
import TrackRecordings

/// A simulated venue with the sightings of its adapters and the reports of its location receiver.
/// The sightings are those that a capture of the adapters would hold.
public final class VenueTrack: PlaybackTrack {
  private let name: String
  private var simulator: Simulator
  private var capture: ScenarioCapture
  private var decoder = CaptureDecoder()
  public private(set) var period: ClosedRange<Instant>?
  public let pipe: CInt? = nil

  /// - Parameter name: the name in errors.
  public init(_ scenario: Scenario, seed: UInt64, name: String) {
    self.name = name
    simulator = Simulator(scenario, seed: seed, hasCrowd: true)
    capture = ScenarioCapture(scenario, seed: seed)
  }

  public var counts: AdvertisementCounts? { simulator.scenario.receivers.isEmpty ? nil : decoder.counts }
  public var roster: AdapterRoster { decoder.roster }

  public func configure(_ settings: [AdapterSettings]) {
    decoder.configure(settings)
  }

  public func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool {
    guard let step = simulator.next() else {
      capture.end()
      try hear(&cues)
      return false
    }
    capture.take(step)
    try hear(&cues)
    switch step {
    case .heard(_, let time), .changed(_, let time): pass(to: time)
    case .located(let report, let time):
      // When a clock is set, the stamps of a capture move, and a walk beside it has to follow.
      cues.reports.append(WalkReport(report, at: time + capture.step))
      pass(to: time)
    }
    return true
  }

  private func pass(to time: Instant) {
    let now = time + capture.step
    period = period.map { min($0.lowerBound, now)...max($0.upperBound, now) } ?? Scenario.start...max(Scenario.start, now)
  }

  private func hear(_ cues: inout PlaybackCues) throws(CaptureFileError) {
    do throws(CaptureError) {
      try capture.drain { octets throws(CaptureError) in try decoder.decode(octets, into: &cues.sightings) }
    } catch {
      throw CaptureFileError(name: name, cause: .content(error))
    }
  }
}
