import HeapModule
import Instants
import Locations
import Venues

/// Runs a scenario and delivers received advertisements and fixes in order of time.
/// It works in small steps, so that memory does not grow with the length of the scenario.
public struct Simulator: Sendable {
  public enum Step: Sendable {
    /// All advertisements that were received up to this time, in order.
    case heard([HeardAdvertisement], through: Instant)
    /// The report of the position receiver at this time.
    case located(SourceReport, at: Instant)
    case changed(FaultChange, at: Instant)
  }

  public let scenario: Scenario
  /// The number of advertisements that present beacons have sent so far.
  public private(set) var sent = 0
  /// The number of receptions of these advertisements; two adapters that receive the same one count twice.
  public private(set) var heard = 0
  /// The number of fixes of the position receiver.
  public private(set) var fixes = 0

  private let venue: SimulatedVenue
  private var links: [[BeaconLink]]
  private var timing: [RandomStream]
  private var crowd: [CrowdDevice] = []
  private let crowdReceivers: [Int]
  private var queue: Heap<Emission>
  private var faults: FaultSchedule
  private var positions: SimulatedFixes?
  /// The number of present outages of each adapter.
  private var outages: [Int]
  private var hasEnded = false

  private struct Emission: Comparable {
    let time: Instant
    /// The index of the sender: beacons first, then the crowd.
    let sender: Int

    static func < (a: Emission, b: Emission) -> Bool { (a.time, a.sender) < (b.time, b.sender) }
  }

  /// The maximum number of advertisements in one step, which a recording can take at once.
  private static let mostHeard = 1024

  /// Starts a scenario.
  ///
  /// - Parameter hasCrowd: false omits the devices of the crowd, which no engine receives; reception of the beacons is unchanged.
  public init(_ scenario: Scenario, seed: UInt64, hasCrowd: Bool) {
    let venue = SimulatedVenue(scenario, seed: seed)
    let scenario = venue.scenario
    self.scenario = scenario
    self.venue = venue
    let receivers = scenario.receiverOfAdapter
    crowdReceivers = receivers
    links = scenario.beacons.indices.map { beacon in
      receivers.enumerated().map { BeaconLink(venue, beacon: beacon, receiver: $0.element, adapter: $0.offset, seed: seed) }
    }
    timing = scenario.beacons.indices.map { RandomStream(seed: seed, .timing, $0) }
    faults = FaultSchedule(scenario.faults, from: Scenario.start)
    outages = Array(repeating: 0, count: receivers.count)
    if let site = scenario.site { positions = scenario.positioning.map { SimulatedFixes($0, at: site, seed: seed) } }
    var emissions: [Emission] = []
    for (index, beacon) in scenario.beacons.enumerated() {
      // The phases are random, so that senders do not all start at the same moment.
      emissions.append(Emission(time: Scenario.start + beacon.interval * timing[index].uniform(), sender: index))
    }
    if hasCrowd, let settings = scenario.crowd {
      for index in 0..<settings.devices {
        var device = CrowdDevice(index, seed: seed, from: Scenario.start)
        let first = device.nextTime(settings, after: Scenario.start + settings.interval * -0.5)
        emissions.append(Emission(time: first, sender: scenario.beacons.count + index))
        crowd.append(device)
      }
    }
    queue = Heap(emissions)
  }

  /// Returns the next step; nil after the end of the scenario.
  public mutating func next() -> Step? {
    while !hasEnded {
      var batch: [HeardAdvertisement] = []
      let limit = Swift.min(positions?.next ?? .never, faults.next, scenario.end)
      while let emission = queue.min, emission.time < limit, batch.count < Self.mostHeard { send(emission, into: &batch) }
      if let waiting = queue.min, waiting.time < limit { return .heard(batch, through: batch.last?.time ?? waiting.time) }
      if !batch.isEmpty { return .heard(batch, through: limit) }
      if limit == scenario.end {
        hasEnded = true
        return .heard([], through: limit)
      }
      if faults.next == limit { return faults.take().map { .changed(follow($0), at: limit) } }
      if let report = positions?.take(venue) {
        if case .reading(let reading) = report, reading.isFix { fixes += 1 }
        return .located(report, at: limit)
      }
    }
    return nil
  }
}

extension Simulator {
  private mutating func send(_ emission: Emission, into batch: inout [HeardAdvertisement]) {
    if emission.sender < scenario.beacons.count {
      sendBeacon(emission.sender, at: emission.time, into: &batch)
    } else {
      sendCrowd(emission.sender - scenario.beacons.count, at: emission.time, into: &batch)
    }
  }

  private mutating func sendBeacon(_ index: Int, at time: Instant, into batch: inout [HeardAdvertisement]) {
    let beacon = scenario.beacons[index]
    if let death = beacon.batteryDeath, time >= Scenario.start + death {
      queue.removeMin()
      return
    }
    if venue.place(of: beacon.position, at: time) != nil { sent += 1 }
    for link in links[index].indices {
      let rssi = links[index][link].hear(venue, at: time)
      let adapter = links[index][link].adapter
      guard let rssi, outages[Int(adapter)] == 0 else { continue }
      heard += 1
      batch.append(HeardAdvertisement(sender: .beacon(index), rssi: rssi, adapter: adapter, time: time))
    }
    let next = time + beacon.interval + beacon.jitter * timing[index].uniform()
    queue.replaceMin(with: Emission(time: next, sender: index))
  }

  private mutating func sendCrowd(_ index: Int, at time: Instant, into batch: inout [HeardAdvertisement]) {
    guard let settings = scenario.crowd else { return }
    for (adapter, receiver) in crowdReceivers.enumerated() {
      let place = venue.place(of: scenario.receivers[receiver].position, at: time)
      let rssi = crowd[index].hear(settings, scenario.radio, (place?.point, scenario.receivers[receiver]), at: time)
      guard let rssi, outages[adapter] == 0 else { continue }
      let sender = HeardAdvertisement.Sender.crowd(index, address: crowd[index].address)
      batch.append(HeardAdvertisement(sender: sender, rssi: rssi, adapter: UInt16(adapter), time: time))
    }
    let next = crowd[index].nextTime(settings, after: time)
    queue.replaceMin(with: Emission(time: next, sender: scenario.beacons.count + index))
  }

  private mutating func follow(_ change: FaultChange) -> FaultChange {
    switch change {
    case .adapterOut(let adapter): outages[Int(adapter)] += 1
    case .adapterBack(let adapter): outages[Int(adapter)] -= 1
    case .positionLost(let isSilent): positions?.change(isSilent: isSilent, by: 1)
    case .positionBack(let isSilent): positions?.change(isSilent: isSilent, by: -1)
    case .outageNoticed, .daemonEnds, .daemonStarts, .clockStep: break
    }
    return change
  }
}

/// The radio link from one beacon to one adapter.
struct BeaconLink: Sendable {
  let adapter: UInt16
  private let beacon: Int
  private let receiver: Int
  private let sensitivity: Double
  private let fading: RicianFading
  private var channel: BurstChannel
  /// The losses at the receiver.
  private var reception: BurstChannel
  private let duty: ScanDuty?
  private var random: RandomStream
  /// The mean level if neither end ever moves; nil if one does.
  private let fixedLevel: Double?

  init(_ venue: SimulatedVenue, beacon: Int, receiver: Int, adapter: Int, seed: UInt64) {
    self.adapter = UInt16(adapter)
    self.beacon = beacon
    self.receiver = receiver
    let scenario = venue.scenario
    sensitivity = scenario.receivers[receiver].sensitivity
    fading = scenario.radio.fading
    channel = BurstChannel(
      scenario.beacons[beacon].loss ?? scenario.radio.loss, RandomStream(seed: seed, .loss, beacon, adapter), from: Scenario.start)
    reception = BurstChannel(
      scenario.receivers[receiver].loss, RandomStream(seed: seed, .reception, beacon, adapter), from: Scenario.start)
    duty = scenario.receivers[receiver].duty
    random = RandomStream(seed: seed, .fading, beacon, adapter)
    if let from = scenario.beacons[beacon].position.fixed, let to = scenario.receivers[receiver].position.fixed {
      fixedLevel = venue.level(beacon: beacon, receiver: receiver, (from, to))
    } else {
      fixedLevel = nil
    }
  }

  /// Returns the RSSI of an advertisement at `time`; nil if it is lost or too weak.
  /// Times must not decrease.
  mutating func hear(_ venue: SimulatedVenue, at time: Instant) -> Int8? {
    guard !channel.loses(at: time), !reception.loses(at: time), duty?.isOn(at: time - Scenario.start) ?? true else { return nil }
    guard
      let level = fixedLevel
        ?? venue.places(beacon: beacon, receiver: receiver, at: time).map({ venue.level(beacon: beacon, receiver: receiver, $0) })
    else { return nil }
    let faded = level + fading.fade(&random)
    return faded < sensitivity ? nil : RadioModel.rssi(faded)
  }
}

/// A device of the crowd, which stays at one place and then moves to another one under a new address, like a new device.
private struct CrowdDevice: Sendable {
  /// The 48-bit address, with the two highest bits of a resolvable private address.
  /// Core Specification 5.4, Volume 6, Part B, 1.3.2.
  private(set) var address: UInt64 = 0
  private var place = PlanPoint(x: 0, y: 0)
  private var changes: Instant
  private var random: RandomStream

  /// The level in dBm at 1 m.
  private static let power = -62.0
  /// The lifetime of an address in seconds.
  /// A resolvable private address lasts 15 minutes by default (Core Specification 5.4, Volume 3, Part C, appendix A).
  private static let stay = 900.0

  init(_ index: Int, seed: UInt64, from start: Instant) {
    random = RandomStream(seed: seed, .crowd, index)
    changes = start
  }

  /// Returns the RSSI of the device's advertisement at `time` for a receiver at `receiver`; nil if it is too weak.
  /// Times must not decrease.
  mutating func hear(_ crowd: Crowd, _ radio: RadioModel, _ receiver: (place: PlanPoint?, Receiver), at time: Instant) -> Int8? {
    while changes <= time { change(crowd) }
    guard let place = receiver.place else { return nil }
    let level = Self.power + receiver.1.offset - radio.pathLoss(metres: place.distance(to: self.place)) + radio.fading.fade(&random)
    return level < receiver.1.sensitivity ? nil : RadioModel.rssi(level)
  }

  /// Returns the time of the next advertisement; intervals vary from device to device and from one to the next.
  mutating func nextTime(_ crowd: Crowd, after time: Instant) -> Instant {
    time + .seconds(crowd.interval.seconds * random.uniform(in: 0.5...1.5))
  }

  private mutating func change(_ crowd: Crowd) {
    address = random.word() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000
    place = crowd.from.towards(crowd.to, 0)
    place.x += (crowd.to.x - crowd.from.x) * random.uniform()
    place.y += (crowd.to.y - crowd.from.y) * random.uniform()
    changes += .seconds(random.exponential(mean: Self.stay))
  }
}
