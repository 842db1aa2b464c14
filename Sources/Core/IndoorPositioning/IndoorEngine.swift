public import Instants
public import Motion
import Venues
import RealModule

/// Estimates the position of a receiver once a second from sightings of transmitters of a plan.
///
/// A tick at each whole second includes the packets before it. The output depends on the sightings alone, and not on the batches
/// in which they arrive. While no transmitter of the plan is heard, the engine has no deadline and holds no probabilities that change.
public struct IndoorEngine: Sendable {
  public static let leastHeard = 4
  public static let leastHeardForZones = 6
  /// The worst accuracy of a position in metres.
  public static let worstAccuracy = 8.0
  /// The silence after which the receiver is outside.
  public static let longestSilence = Span.seconds(10)
  /// The maximum number of packets of one second; more are ignored.
  private static let mostPackets = 4096
  /// The maximum number of adapters; more are ignored.
  private static let mostAdapters = 8
  /// The seconds after which the filter knows the position, so that a still receiver keeps it.
  static let secondsToSettle = 30

  public private(set) var model: RoomModel
  /// The probabilities that the engine computes each second in addition to the position.
  public var queries: [IndoorQuery] = []
  /// Whether offsets are learned.
  public var isLearning: Bool
  /// The adapters whose level is known from their first packet; all others start low.
  public var calibration: IndoorCalibration
  /// The motion of the receiver from now on, which is part of the input: the same sightings and motions give the same output.
  ///
  /// After an unknown motion, such as that of a machine that was suspended, the receiver may be elsewhere. The search for its position then
  /// restarts.
  public var motion = DeviceMotion.unknown {
    didSet { if motion.activity == .unknown, oldValue.activity != .unknown { ticksSinceLoss = 0 } }
  }
  /// The number of times that learned offsets changed.
  public internal(set) var revision = 0
  let survey: SurveyMap?
  /// The filter, while the receiver is inside.
  var filter: RoomFilter?
  var radios = RadioSet()
  var levels = LevelTracks()
  var presence: PresenceDetector
  var consistency: ConsistencyCheck
  var gate = WalkingGate()
  var placementCheck = PlacementCheck()
  /// The packets since the last tick.
  var packets: [RoomPacket] = []
  /// The next tick, or nil while nothing is heard.
  var nextTick: Instant?
  var lastSighting = Instant(microseconds: .min)
  /// The ticks since the filter started.
  var ticks = 0
  /// The ticks since the motion was lost; many if it never was.
  var ticksSinceLoss = IndoorEngine.secondsToSettle
  var level: Int?
  /// The standard deviation in dB of the level of the adapters heard last.
  var lastDeviation = 0.0
  /// The positions of the last seconds, of which the last is the newest.
  var recent: [PlanPoint] = []

  /// Starts outside.
  ///
  /// - Parameters:
  ///   - learned: the learned offsets of adapters, as `learned` returned them.
  ///   - placements: the evidence about the places of transmitters, as `placements` returned it.
  public init(
    model: RoomModel, survey: SurveyMap? = nil, calibration: IndoorCalibration = IndoorCalibration(), learned: [UInt16: LearnedRadio] = [:],
    placements: [PlacementEvidence] = [], isLearning: Bool = true
  ) {
    self.model = model
    self.isLearning = isLearning
    self.calibration = calibration
    self.survey = survey
    presence = PresenceDetector(model)
    consistency = ConsistencyCheck(model)
    placementCheck = PlacementCheck(placements, model: model)
    for (adapter, state) in learned.sorted(by: { $0.key < $1.key }) {
      radios.add(adapter, RadioLearner(state, model: model, isCalibrated: calibration.contains(adapter)), most: Self.mostAdapters)
    }
  }

  // MARK: Learned offsets

  /// The learned offsets of each adapter, for storage.
  public var learned: [UInt16: LearnedRadio] {
    var result: [UInt16: LearnedRadio] = [:]
    for (adapter, learner) in radios.all where learner.seconds > 0 || learner.isDistrusted {
      result[adapter] = learner.learned(model: model)
    }
    return result
  }

  /// Returns the offsets in use for an adapter; nil if it was not heard.
  public func correction(adapter: UInt16) -> RadioCorrection? { radios.all.first { $0.adapter == adapter }?.learner.correction }

  /// The learned offsets of the adapters about which enough is learned for the ranging of single beacons.
  public var corrections: [(adapter: UInt16, correction: RadioCorrection)] {
    radios.all.filter { $0.learner.seconds >= RadioLearner.secondsForRanging }.map { ($0.adapter, $0.learner.correction) }
  }

  /// Continues with stored offsets of an adapter that became known later.
  ///
  /// Offsets from more seconds of walking are kept, and so is the finding that the declared level is wrong.
  public mutating func learn(_ radio: LearnedRadio, adapter: UInt16) {
    let learner = RadioLearner(radio, model: model, isCalibrated: calibration.contains(adapter))
    if let known = radios.all.first(where: { $0.adapter == adapter })?.learner,
      known.seconds > learner.seconds || known.isDistrusted && !learner.isDistrusted
    {
      return
    }
    radios.add(adapter, learner, most: Self.mostAdapters)
    revision += 1
  }

  /// Continues with stored evidence about the places of transmitters.
  ///
  /// Evidence about a transmitter is ignored if it is from fewer seconds than the present evidence.
  public mutating func learn(_ placements: [PlacementEvidence]) { placementCheck.add(placements, model: model) }

  /// Forgets the learned offsets of an adapter; `nil` for all adapters.
  public mutating func resetLearning(of adapter: UInt16? = nil) {
    radios.reset(adapter, calibration)
    if adapter == nil { placementCheck = PlacementCheck() }
    revision += 1
  }

  /// Takes the dB that the configuration adds to the RSSI of a transmitter.
  ///
  /// If they change, what was learned about the transmitter is forgotten, because it contains the difference.
  public mutating func declare(offset: Double, of transmitter: Int) {
    guard model.transmitters.indices.contains(transmitter), model.transmitters[transmitter].offset != offset else { return }
    model.declare(offset: offset, of: transmitter)
    radios.forget(transmitter)
    placementCheck.forget(transmitter)
    revision += 1
  }

  /// The transmitters that seem to hang elsewhere, and the distance in metres from their planned places.
  /// See `PlacementCheck`.
  public var misplaced: [(transmitter: Int, metres: Double)] { placementCheck.misplaced }

  /// The evidence about the places of transmitters, for storage.
  public var placements: [PlacementEvidence] { placementCheck.evidence(model: model) }

  /// Returns the probability in the last second that a transmitter is closer than a distance in metres; 0 without a position.
  public func probability(of transmitter: Int, within metres: Double) -> Double {
    guard let filter, model.transmitters.indices.contains(transmitter) else { return 0 }
    return filter.probability(of: transmitter, within: metres)
  }

  /// The adapters that were heard, or about which something is learned.
  public var adapters: [UInt16] { radios.all.map(\.adapter) }

  // MARK: Time

  /// The time of the next required call of `step`; `.never` while no transmitter of the plan is heard.
  public var nextDeadline: Instant { nextTick ?? .never }

  /// Applies all sightings up to `time` in chronological order and returns the output of each whole second up to `time`.
  ///
  /// A sighting that is older than the last tick counts in the second that has begun.
  public mutating func step(_ sightings: some Sequence<IndoorSighting>, through time: Instant) -> [IndoorOutput] {
    var outputs: [IndoorOutput] = []
    for sighting in sightings {
      pass(to: sighting.time, &outputs)
      hear(sighting)
    }
    pass(to: time, &outputs)
    return outputs
  }

  /// Ticks at all whole seconds up to `time`.
  private mutating func pass(to time: Instant, _ outputs: inout [IndoorOutput]) {
    while let tick = nextTick, tick <= time {
      outputs.append(self.tick(at: tick))
      if nextTick != nil { nextTick = tick + .seconds(1) }
    }
  }

  /// Applies a sighting, after `step` has taken the seconds up to its time.
  /// An older sighting counts in the second that has begun.
  public mutating func hear(_ sighting: IndoorSighting) {
    guard model.transmitters.indices.contains(sighting.transmitter), sighting.rssi >= -127, sighting.rssi <= 20,
      let radio = radios.index(of: sighting.adapter, model.transmitters.count, calibration, most: Self.mostAdapters)
    else { return }
    if nextTick == nil { nextTick = sighting.time.followingSecond }
    lastSighting = max(lastSighting, sighting.time)
    levels.hear(sighting, offset: radios.corrections[radio].level)
    if packets.count < Self.mostPackets {
      packets.append(RoomPacket(transmitter: sighting.transmitter, radio: radio, rssi: sighting.rssi))
    }
  }

  /// Forgets the position and the packets, and keeps everything that was learned.
  public mutating func forgetPosition() {
    sleep()
    packets.removeAll(keepingCapacity: true)
    lastSighting = Instant(microseconds: .min)
  }

  /// Stops ticking until a transmitter is heard.
  mutating func sleep() {
    nextTick = nil
    levels = LevelTracks()
    presence = PresenceDetector(model)
    forget()
  }

  /// Forgets the position.
  mutating func forget() {
    ticks = 0
    level = nil
    recent.removeAll()
    gate = WalkingGate()
    consistency = ConsistencyCheck(model)
    filter = nil
  }
}

extension Instant {
  /// The first whole second after this instant.
  fileprivate var followingSecond: Instant {
    let rest = microseconds % 1_000_000
    return self + Span(microseconds: rest >= 0 ? 1_000_000 - rest : -rest)
  }
}
