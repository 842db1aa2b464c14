import BeaconAdvertising
import BeaconHealth
import Beacons
import Instants
import Regions
import Seeds

/// Beacons around a receiver that stands still, on a simulated clock.
///
/// The losses are those of Gilbert's model: the channel of each beacon is good or bad for exponentially distributed times.
struct Site {
  static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)

  /// One transmitter.
  struct Transmitter {
    let beacon: BeaconIdentity
    var address: UInt32
    /// The mean level in dBm.
    var level: Double
    /// The time of the next advertisement.
    var next: Double
    var interval: Double
    var isOn = true
    var rotatesAddress = false
    var isBad = false
    var periodEnd = 0.0
  }

  var monitor: BeaconHealthMonitor
  var transmitters: [Transmitter] = []
  /// The seconds since the start.
  private(set) var now = 0.0
  private(set) var findings: [BeaconFinding] = []
  /// The share of lost advertisements, and the mean length of a burst in seconds.
  var loss = 0.6
  var burst = 12.0
  /// The dB that the receiver loses.
  var deafness = 0.0
  /// The share of packets that the receiver passes on up to 0.3 s late.
  var lateness = 0.0
  /// Whether the receiver passes anything on.
  var isHearing = true
  var hears: (Transmitter) -> Bool = { _ in true }
  private var random: SeededGenerator

  static let start = Instant(microseconds: 1_000_000_000_000)

  /// - Parameter interval: the seconds between two advertisements of a beacon.
  init(
    beacons: Int, interval: Double = 1,
    settings: BeaconHealthSettings = BeaconHealthSettings(problems: Set(BeaconProblem.allCases), isStationary: true), seed: UInt64 = 1
  ) {
    monitor = BeaconHealthMonitor(settings)
    random = SeededGenerator(seed: seed)
    for number in 0..<beacons {
      transmitters.append(
        Transmitter(
          beacon: Self.beacon(number), address: UInt32(1000 + number), level: -60 - Double(number % 20), next: random.uniform() * interval,
          interval: interval))
    }
    monitor.expect(transmitters.map(\.beacon))
    monitor.start(at: Self.start)
    monitor.setReception(.allHear, at: Self.start)
  }

  static func beacon(_ number: Int) -> BeaconIdentity { BeaconIdentity(uuid: uuid, major: 1, minor: UInt16(number)) }

  var time: Instant { Self.start + .seconds(now) }

  /// Lets time pass in steps of a second.
  mutating func run(seconds: Double) {
    let end = now + seconds
    var sightings: [Sighting] = []
    while now < end {
      let stepEnd = min(end, now + 1)
      sightings.removeAll(keepingCapacity: true)
      for index in transmitters.indices {
        while transmitters[index].next < stepEnd { advertise(index, into: &sightings) }
      }
      now = stepEnd
      if isHearing {
        sightings.sort { $0.time < $1.time }
        for sighting in sightings { monitor.hear(sighting) }
      }
      monitor.advance(to: time)
      findings += monitor.takeFindings()
    }
  }

  private mutating func advertise(_ index: Int, into sightings: inout [Sighting]) {
    let at = transmitters[index].next
    transmitters[index].next += transmitters[index].interval + 0.01 * random.uniform()
    guard transmitters[index].isOn else { return }
    if loss > 0 {
      while transmitters[index].periodEnd <= at {
        transmitters[index].isBad.toggle()
        let mean = transmitters[index].isBad ? burst : burst * (1 - loss) / loss
        transmitters[index].periodEnd = max(transmitters[index].periodEnd, at - 3600) + random.exponential(mean: mean)
      }
      if transmitters[index].isBad { return }
    }
    if transmitters[index].rotatesAddress, random.uniform() < transmitters[index].interval / 900 {
      transmitters[index].address = UInt32.random(in: 1...UInt32.max, using: &random)
    }
    let transmitter = transmitters[index]
    guard hears(transmitter) else { return }
    let rssi = transmitter.level - deafness + random.roughlyNormal() * 4
    let delay = lateness > 0 && random.uniform() < lateness ? 0.3 * random.uniform() : 0
    sightings.append(
      Sighting(
        beacon: transmitter.beacon, measuredPower: -59, rssi: Int8(clamping: Int(rssi.rounded())), adapter: 0,
        transmitter: transmitter.address, time: Self.start + .seconds(at + delay)))
  }

  /// The findings as text: `missing 1/5`, `missing 1/5 ended`.
  var texts: [String] {
    findings.map { "\($0.problem) \($0.beacon.major)/\($0.beacon.minor)\($0.hasEnded ? " ended" : "")" }
  }
}

extension SeededGenerator {
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number of nearly normal distribution with mean 0 and variance 1: the sum of a few uniform ones.
  mutating func roughlyNormal() -> Double { (uniform() + uniform() + uniform() + uniform() - 2) * 3.0.squareRoot() }

  mutating func exponential(mean: Double) -> Double {
    // The logarithm by its series would be slower than a table: -ln(u) = sum of halvings and the rest.
    let value = 1 - uniform()
    return -mean * (Double(value.exponent) * 0.6931471805599453 + Self.logarithm(value.significand))
  }

  /// Returns the natural logarithm of a number from 1 to 2, by the series of the area hyperbolic tangent.
  private static func logarithm(_ number: Double) -> Double {
    let ratio = (number - 1) / (number + 1)
    let square = ratio * ratio
    var (sum, power) = (0.0, ratio)
    for odd in stride(from: 1.0, through: 13, by: 2) {
      sum += power / odd
      power *= square
    }
    return 2 * sum
  }
}
