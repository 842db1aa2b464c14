import BeaconAdvertising
import Beacons
import Instants

/// Makes a btsnoop capture of a scenario, as if its adapters had been recorded.
/// It works in small steps, so that memory does not grow with the length of the scenario.
///
/// The timestamps are those of the wall clock, which clock steps move.
public struct ScenarioCapture {
  private let scenario: Scenario
  private let beacons: [AdvertisingReport]
  private let crowd: [AdvertisingReport]
  private var recording: Recording
  /// The sum of the wall clock's steps so far.
  public private(set) var step = Span.zero

  public init(_ scenario: Scenario, seed: UInt64) {
    self.scenario = scenario
    beacons = scenario.beacons.map {
      AdvertisingReport(Sighting(beacon: $0.identity, measuredPower: $0.measuredPower, rssi: nil, time: Scenario.start))
    }
    crowd = (0..<(scenario.crowd?.devices ?? 0)).map {
      AdvertisingReport(address: BluetoothAddress(reversed: []), isRandom: true, rssi: nil, data: CrowdAdvertisement.data($0, seed: seed))
    }
    let options = RecordingOptions(
      keepsEverything: true, limitSize: DataSize(octets: UInt64(Int64.max)), duration: scenario.duration)
    recording = Recording(
      options, source: "the simulation of \(scenario.name), seed \(seed)", key: (0, 0), at: Scenario.start, sinceEpoch: .zero)
  }

  /// Takes one step.
  /// Call `drain` before the next one, because a recording with a slow reader drops data.
  public mutating func take(_ next: Simulator.Step) {
    switch next {
    case .heard(let heard, _):
      for heard in heard { recording.hear(report(heard), adapter: heard.adapter, at: heard.time + step, named: { _ in nil }) }
    case .changed(.clockStep(let span), _): step = step + span
    // A capture holds only advertisements.
    case .located, .changed: break
    }
  }

  /// Ends the capture after the last step.
  public mutating func end() {
    recording.end("the scenario has ended", at: scenario.end + step)
  }

  /// Passes the waiting octets to `body`, oldest first, until it has taken all of them or throws.
  public mutating func drain<Failure>(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    while !recording.isDrained && failure == nil {
      _ = recording.drain { octets in
        do throws(Failure) { try body(octets.bytes) } catch { failure = error }
        return octets.count
      }
    }
    if let failure { throw failure }
  }

  private func report(_ heard: HeardAdvertisement) -> AdvertisingReport {
    var report: AdvertisingReport
    switch heard.sender {
    case .beacon(let index): report = beacons[index]
    case .crowd(let index, let address):
      report = crowd[index]
      report.address = BluetoothAddress(reversed: stride(from: 0, to: 48, by: 8).map { UInt8(truncatingIfNeeded: address >> UInt64($0)) })
    }
    report.rssi = heard.rssi
    return report
  }
}
