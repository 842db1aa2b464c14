import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Scoring

/// Everything that a survey keeps of one beacon, in bounded memory.
struct BeaconLog {
  /// An address that sends the beacon.
  struct Sender {
    var address: BluetoothAddress
    var gaps: AdvertisementGaps
    var isLoud: Bool
  }

  /// The maximum number of addresses that are distinguished at one time.
  private static let mostSenders = 16
  /// The time within which two addresses that take turns are two devices.
  private static let turn = Span.seconds(10)

  let format: BeaconFormat
  let first: Instant
  private(set) var last: Instant
  /// The advertisements; one that several adapters receive counts once.
  private(set) var count: UInt64 = 0
  /// The number of packets of each RSSI, and of each advertised power.
  private(set) var levels: [Int8: UInt64] = [:]
  private var powers: [Int8: UInt64] = [:]
  private(set) var gaps = GapLog()
  private(set) var senders: [Sender] = []
  private(set) var senderCount: UInt64 = 0
  /// The number of times that an address was heard again after another one.
  private(set) var returns = 0
  private var lastSender: BluetoothAddress?
  private(set) var peak = PeakLevel()
  /// The RSSI over time.
  private(set) var course = TimeSeries()

  init(_ sighting: Sighting) {
    format = sighting.format
    (first, last) = (sighting.time, sighting.time)
  }

  /// - Parameter offset: of the adapter, in dB.
  mutating func hear(_ sighting: Sighting, from address: BluetoothAddress, offset: Double) {
    let time = max(last, sighting.time)
    last = time
    powers[sighting.measuredPower, default: 0] += 1
    if let rssi = sighting.rssi {
      levels[rssi, default: 0] += 1
      course.add(Double(rssi), at: time)
      peak.hear(Double(rssi) + offset, adapter: sighting.adapter, at: time)
    }
    take(address, isLoud: sighting.rssi.map { $0 >= GapLog.loud } ?? false, at: time)
  }

  private mutating func take(_ address: BluetoothAddress, isLoud: Bool, at time: Instant) {
    guard let index = senders.firstIndex(where: { $0.address == address }) else {
      if senders.count == Self.mostSenders, let oldest = senders.indices.min(by: { senders[$0].gaps.last < senders[$1].gaps.last }) {
        senders.remove(at: oldest)
      }
      senders.append(Sender(address: address, gaps: AdvertisementGaps(from: time), isLoud: isLoud))
      (senderCount, count, lastSender) = (senderCount + 1, count + 1, address)
      return
    }
    let before = senders[index].gaps.last
    senders[index].gaps.hear(at: time)
    // The same advertisement from another adapter changes nothing.
    guard senders[index].gaps.last != before else { return }
    count += 1
    gaps.add(time - before, isLoud: isLoud && senders[index].isLoud)
    gaps.learn(from: senders[index].gaps)
    senders[index].isLoud = isLoud
    if lastSender != address, time - before <= Self.turn { returns += 1 }
    lastSender = address
  }

  /// The RSSI in dBm at 1 m that most packets advertise.
  var measuredPower: Int8? { powers.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key }

  /// Returns the RSSI below which a share of the packets is; nil without an RSSI.
  func level(_ share: Double) -> Double? {
    let sorted = levels.sorted { $0.key < $1.key }
    let wanted = share * Double(sorted.reduce(0) { $0 + $1.value })
    var sum = 0.0
    for (rssi, count) in sorted {
      sum += Double(count)
      if sum >= wanted { return Double(rssi) }
    }
    return nil
  }

  var regularity: GapLog.Regularity? { gaps.regularity(senders.lazy.map(\.gaps)) }
}

/// The loudest mean of an adapter over two seconds: the signal where the receiver was nearest.
struct PeakLevel {
  private static let length = Span.seconds(2)
  private static let fewest = 3

  private var start = Instant(microseconds: .min)
  private var sums: [UInt16: (sum: Double, count: Int)] = [:]
  private var best: Double?

  mutating func hear(_ rssi: Double, adapter: UInt16, at time: Instant) {
    if time >= start + Self.length {
      best = level
      (start, sums) = (time, [:])
    }
    let (sum, count) = sums[adapter] ?? (0, 0)
    sums[adapter] = (sum + rssi, count + 1)
  }

  /// dBm; nil without two seconds of enough packets.
  var level: Double? {
    (sums.values.filter { $0.count >= Self.fewest }.map { $0.sum / Double($0.count) } + [best].compactMap(\.self)).max()
  }
}
