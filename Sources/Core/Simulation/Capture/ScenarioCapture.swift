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

/// Advertisements of the devices in a crowd.
/// Their AD structures are those of phones, earphones, tags and beacons of other formats; none is an iBeacon.
///
/// The formats are those of the Supplement to the Bluetooth Core Specification, part A, and of the manufacturers' documents. Personal
/// data in them are random.
private enum CrowdAdvertisement {
  static func data(_ index: Int, seed: UInt64) -> [UInt8] {
    var random = RandomStream(seed: seed, .payload, index)
    func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.word()) } }
    let flags: [UInt8] = [0x02, 0x01, 0x1A]
    switch random.word() % 8 {
    // Apple's Nearby Info, by far the most frequent.
    case 0, 1, 2: return flags + [0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05] + octets(5)
    // Apple's Find My.
    case 3: return [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19] + octets(25)
    // Microsoft's connected devices.
    case 4: return [0x1E, 0xFF, 0x06, 0x00, 0x01] + octets(26)
    // Google's Fast Pair, service UUID 0xFE2C.
    case 5: return flags + [0x06, 0x16, 0x2C, 0xFE] + octets(3)
    // Eddystone-UID, service UUID 0xFEAA.
    case 6: return flags + [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xED] + octets(16) + [0x00, 0x00]
    // A complete local name.
    default: return flags + [0x09, 0x09] + Array("Band ".utf8) + octets(3).map { UInt8(ascii: "0") + $0 % 10 }
    }
  }
}
