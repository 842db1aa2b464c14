import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Regions

/// The value that decides about ranging and regions: sightings, fixes and instants in, events out in order.
///
/// The engine reads no clock. The daemon, replays, the simulator and the tests use this same value. The same input thus gives the same
/// events on every machine, however it is batched.
public struct ProximityEngine: Sendable {
  public internal(set) var settings: EngineSettings
  /// The latest instant that the engine received; time never runs backward here.
  public internal(set) var now: Instant
  public private(set) var receivers = Receivers.all(.hearing)
  /// The time of the last sighting that a region or a client selects; the start before the first one.
  public private(set) var lastSighting: Instant

  var regions = RegionTable()
  var heard: HeardBeacons
  /// The number of listeners that range each constraint, and so need the scan.
  var ranging: [BeaconConstraint: Int] = [:]
  /// The number of listeners that range each constraint while something else needs the scan.
  var passiveRanging: [BeaconConstraint: Int] = [:]
  /// The constraints of both kinds of listeners.
  public internal(set) var rangedConstraints: Set<BeaconConstraint> = []
  /// Whether a scan listens for every beacon, in addition to monitoring and ranging.
  var isScanning = false
  /// The UUIDs of regions and ranged constraints. Beacons of other UUIDs are skipped after one look-up.
  var interestingUUIDs: Set<BeaconUUID> = []
  var transitions: [RegionTransition] = []
  /// The learned reception of the beacons of venues.
  var receptions: [BeaconIdentity: [LearnedReception]] = [:]
  /// The sequence of the last event of each owner that had one.
  var sequences: [RegionOwner: UInt64]

  /// Creates an engine.
  ///
  /// - Parameter lastSequence: the sequence of the last event at a region of the config; the next event has the next number.
  public init(settings: EngineSettings = EngineSettings(), at time: Instant, lastSequence: UInt64 = 0) {
    self.settings = settings
    sequences = [.config: lastSequence]
    now = time
    lastSighting = time
    heard = HeardBeacons(capacity: settings.capacity)
  }
}

// MARK: Input

extension ProximityEngine {
  /// Sets the clock of an engine that was created before its source's clock was known.
  /// The engine must not have received any input yet.
  public mutating func start(at time: Instant) {
    (now, lastSighting) = (time, time)
    regions.start(at: time)
  }

  public mutating func ingest(_ sightings: [Sighting]) {
    // One beacon is looked up ahead, so that memory latency passes while the sighting before it is processed.
    var ahead = sightings.first.flatMap { heard.position(of: $0.beacon) }
    for index in sightings.indices {
      let (position, next) = (ahead, index + 1)
      ahead = next < sightings.endIndex ? heard.position(of: sightings[next].beacon) : nil
      ingest(sightings[index], at: position)
      // A new beacon may have moved the entries of others.
      if position == nil, next < sightings.endIndex { ahead = heard.position(of: sightings[next].beacon) }
    }
  }

  /// Applies a sighting; one from before `now` counts as heard now.
  public mutating func ingest(_ sighting: Sighting) {
    ingest(sighting, at: heard.position(of: sighting.beacon))
  }

  @inline(__always)  // a part of every sighting
  private mutating func ingest(_ sighting: Sighting, at position: Int?) {
    if sighting.time >= now {
      advance(to: sighting.time)
      hear(sighting, at: position)
    } else {
      var held = sighting
      held.time = now
      hear(held, at: position)
    }
  }

  @inline(__always)  // a part of every sighting
  private mutating func hear(_ sighting: Sighting, at position: Int?) {
    guard let position = position ?? meet(sighting) else { return }
    lastSighting = now
    regions.hear(sighting, &heard.entries[position], into: &transitions)
  }

  /// Advances to `time` and ends the exit clocks whose deadline is reached.
  /// If `time` is `now`, compares the last fix with circles that were added after it.
  public mutating func advance(to time: Instant) {
    guard time > now else {
      if time == now { regions.reviewFix(at: now, into: &transitions) }
      return
    }
    now = time
    regions.expire(through: time, into: &transitions)
  }

  /// Applies a fix; one from before `now` counts from now on.
  /// A fix that has expired or is older than the last one is ignored.
  public mutating func ingest(_ fix: Fix, at time: Instant) {
    advance(to: time)
    regions.locate(fix, at: now, into: &transitions)
  }

  /// Applies an estimate of the indoor position at `time`.
  public mutating func ingest(_ estimate: PlaceEstimate, at time: Instant) {
    advance(to: time)
    regions.locate(estimate, at: now, into: &transitions)
  }

  /// Applies the distances to beacons that the indoor position gives at `time`.
  ///
  /// - Parameter probability: returns the probability that a beacon, by its place in the list, is closer than a distance in metres.
  public mutating func ingest(_ beacons: [LocatedBeacon], at time: Instant, probability: (Int, Double) -> Double) {
    advance(to: time)
    var (known, numbers): ([(position: Int, metres: Double, deviation: Double)], [Int]) = ([], [])
    for (number, beacon) in beacons.enumerated() {
      guard let position = heard.position(of: beacon.beacon) else { continue }
      known.append((position, beacon.metres, beacon.deviation))
      numbers.append(number)
    }
    regions.locate(&heard.entries, known, at: now, into: &transitions) { probability(numbers[$0], $1) }
  }

  /// Sets what venues have learned about the reception of their beacons. It applies to estimates from now on.
  public mutating func learn(_ receptions: [BeaconIdentity: [LearnedReception]]) {
    self.receptions = receptions
    for index in heard.entries.indices { heard.entries[index].track.receptions = receptions[heard.entries[index].track.beacon] ?? [] }
  }

  /// Applies the positions of the device in relation to whole venues at `time`.
  public mutating func ingest(_ positions: [VenueArea: AreaPosition], at time: Instant) {
    advance(to: time)
    regions.locate(positions, at: now, into: &transitions)
  }

  /// Makes the regions of areas unknown from `time` on, because nothing decides about them any more.
  public mutating func lose(_ areas: Set<VenueArea>, at time: Instant) {
    guard !areas.isEmpty else { return }
    advance(to: time)
    regions.lose(areas, at: now, into: &transitions)
  }

  /// Makes the circles unknown from `time` on, because no source reports a location any more.
  public mutating func loseFixes(at time: Instant) {
    advance(to: time)
    regions.loseFixes(at: now, into: &transitions)
  }

  /// Sets which adapters can hear from `time` on.
  /// Time in which no adapter could hear a region does not count for its exit clock. Neither does time without a scan because the device is
  /// far from every circle that gates scanning.
  public mutating func setReception(_ receivers: Receivers, at time: Instant) {
    advance(to: time)
    self.receivers = receivers
    regions.receive(receivers.adapters, at: now, into: &transitions)
    if receivers.adapters.isLost { regions.loseEstimates(at: now, into: &transitions) }
  }

  /// Starts a track for a new beacon and returns its position; `nil` if no region or client selects it.
  private mutating func meet(_ sighting: Sighting) -> Int? {
    let beacon = sighting.beacon
    if !interestingUUIDs.contains(beacon.uuid) {
      guard settings.watchesEveryUUID, regions.count < settings.capacity else { return nil }
      let region = BeaconRegion(identifier: beacon.uuid.description, constraint: BeaconConstraint(uuid: beacon.uuid))
      regions.add(.beacon(region), at: now)
      interestingUUIDs.insert(beacon.uuid)
    }
    var entry = HeardBeacon(BeaconTrack(beacon, settings: settings.ranging, at: sighting.time))
    if !receptions.isEmpty { entry.track.receptions = receptions[beacon] ?? [] }
    regions.match(&entry)
    guard entry.isWanted(ranging: rangedConstraints) else { return nil }
    for evicted in heard.makeRoom() { regions.forget(evicted) }
    heard.append(entry)
    return heard.entries.count - 1
  }
}
