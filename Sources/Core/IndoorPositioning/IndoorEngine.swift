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
  /// The most packets of one second; more are ignored.
  private static let mostPackets = 4096
  /// The most adapters; more are ignored.
  private static let mostAdapters = 8
  /// The probability from which on a level is reported.
  private static let levelThreshold = 0.9
  /// The probability below which the level reported before is given up.
  private static let leastLevelProbability = 0.05
  private static let loudestCount = 4
  /// The seconds after which the filter knows the position, so that rest of the receiver can hold it.
  private static let secondsToSettle = 30
  /// The weight of the packets of a still receiver.
  ///
  /// Fading depends on the place, so a receiver that stays hears the same error again and again.
  private static let stillShare = 0.05
  /// The distance in metres up to which a transmitter counts for the accuracy.
  private static let informativeDistance = 15.0

  public let model: RoomModel
  /// The probabilities that the engine computes each second beside the position.
  public var queries: [IndoorQuery] = []
  /// Whether offsets are learned.
  public var isLearning: Bool
  /// The adapters whose level is known when they are first heard; all others start low.
  public var calibration: IndoorCalibration
  /// The motion of the receiver, from now on. It is part of the input: the same sightings and motions give the same output.
  ///
  /// After an unknown motion, such as that of a machine that slept, the receiver may be elsewhere. Its position is then searched from the start.
  public var motion = DeviceMotion.unknown {
    didSet { if motion.activity == .unknown, oldValue.activity != .unknown { ticksSinceLoss = 0 } }
  }
  /// The number of times that learned offsets changed.
  public private(set) var revision = 0
  private let survey: SurveyMap?
  /// The filter, while the receiver is inside.
  private var filter: RoomFilter?
  private var radios = RadioSet()
  private var levels = LevelTracks()
  private var presence: PresenceDetector
  private var consistency: ConsistencyCheck
  private var gate = WalkingGate()
  private var placementCheck = PlacementCheck()
  /// The packets since the last tick.
  private var packets: [RoomPacket] = []
  /// The next tick, or nil while nothing is heard.
  private var nextTick: Instant?
  private var lastSighting = Instant(microseconds: .min)
  /// The ticks since the filter started.
  private var ticks = 0
  /// The ticks since the motion was lost; many if it never was.
  private var ticksSinceLoss = IndoorEngine.secondsToSettle
  private var level: Int?
  /// The standard deviation in dB of the level of the adapters heard last.
  private var lastDeviation = 0.0
  /// The positions of the last seconds, of which the last is the newest.
  private var recent: [PlanPoint] = []

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
      radios.add(adapter, RadioLearner(state, model: model, level: calibration.level(of: adapter)), most: Self.mostAdapters)
    }
  }

  // MARK: Learned offsets

  /// Returns the learned offsets of each adapter, to be kept.
  public var learned: [UInt16: LearnedRadio] {
    var result: [UInt16: LearnedRadio] = [:]
    for (adapter, learner) in radios.all where learner.seconds > 0 { result[adapter] = learner.learned(model: model) }
    return result
  }

  /// Returns the offsets in use for an adapter that was heard.
  public func correction(adapter: UInt16) -> RadioCorrection? { radios.all.first { $0.adapter == adapter }?.learner.correction }

  /// The learned offsets of the adapters about which enough is learned for the ranging of single beacons.
  public var corrections: [(adapter: UInt16, correction: RadioCorrection)] {
    radios.all.filter { $0.learner.seconds >= RadioLearner.secondsForRanging }.map { ($0.adapter, $0.learner.correction) }
  }

  /// Forgets the learned offsets of an adapter; `nil` for all adapters.
  public mutating func resetLearning(of adapter: UInt16? = nil) {
    radios.reset(adapter, calibration)
    if adapter == nil { placementCheck = PlacementCheck() }
    revision += 1
  }

  /// The transmitters that seem to hang elsewhere, and the distance in metres from their planned places.
  /// See `PlacementCheck`.
  public var misplaced: [(transmitter: Int, metres: Double)] { placementCheck.misplaced }

  /// Returns the evidence about the places of transmitters, to be kept.
  public var placements: [PlacementEvidence] { placementCheck.evidence(model: model) }

  /// Returns the probability in the last second that a transmitter is closer than a distance in metres; 0 without a position.
  public func probability(of transmitter: Int, within metres: Double) -> Double {
    guard let filter, model.transmitters.indices.contains(transmitter) else { return 0 }
    return filter.probability(of: transmitter, within: metres)
  }

  /// The adapters that were heard, or about which something is learned.
  public var adapters: [UInt16] { radios.all.map(\.adapter) }

  // MARK: Time

  /// When `step` must be called even without sightings; `.never` while no transmitter of the plan is heard.
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

  // MARK: A tick

  private mutating func tick(at time: Instant) -> IndoorOutput {
    defer { packets.removeAll(keepingCapacity: true) }
    guard time - lastSighting < Self.longestSilence else {
      sleep()
      return IndoorOutput(time: time, absence: .outside)
    }
    let loudest = levels.loudest(Self.loudestCount, at: time)
    guard presence.isInside(loudest: loudest.first?.level) else {
      forget()
      return IndoorOutput(time: time, absence: .outside)
    }
    // Moved out for the time of the change, so that it is not copied.
    var filter = self.filter.take() ?? RoomFilter(model: model, survey: survey)
    filter.focus(on: loudest.map(\.transmitter).sorted())
    // Until the position is known, a still receiver has to be found like any other.
    ticksSinceLoss += 1
    let motion = min(ticks, ticksSinceLoss) > Self.secondsToSettle ? motion : .unknown
    if ticks > 0 { filter.predict(motion) }
    filter.update(packets, radios: radios.corrections, share: motion.activity == .still ? Self.stillShare : 1)
    ticks += 1
    defer { self.filter = filter }
    let probabilities = filter.levelProbabilities()
    let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    learn(filter, level: level ?? best)
    decideLevel(probabilities, best)
    guard let level, let fix = filter.fix(level: level) else {
      recent.removeAll()
      return IndoorOutput(time: time, absence: .uncertainLevel)
    }
    recent.append(fix.point)
    if recent.count > 6 { recent.removeFirst() }
    let heard = levels.heard(at: time, within: .seconds(3))
    let accuracy = RoomAccuracy.metres(
      radius: fix.radius, displacement: recent[0].distance(to: fix.point),
      heard: levels.heard(at: time, within: .seconds(3)) { near($0, fix, level) },
      levelDeviation: levelDeviation())
    let isConsistent = consistency.add(loudest.first.map { filter.distance(to: $0.transmitter).metres })
    if let absence = absence(heard: heard, isConsistent: isConsistent, accuracy: accuracy) {
      return IndoorOutput(time: time, absence: absence)
    }
    return IndoorOutput(
      time: time,
      estimate: IndoorEstimate(
        level: model.levels[level].ordinal, levelProbability: probabilities[level], point: fix.point, radius: fix.radius,
        accuracy: accuracy,
        heard: heard, levelDeviation: lastDeviation),
      distances: levels.all(at: time).map { IndoorOutput.Distance(transmitter: $0, distance: filter.distance(to: $0)) },
      answers: queries.map { answer($0, filter) })
  }

  /// Whether a transmitter is close enough to the position to tell metres: of a far one the level hardly changes.
  private func near(_ transmitter: Int, _ fix: RoomFix, _ level: Int) -> Bool {
    let place = model.places[transmitter]
    return place.level == level && PlanPoint(x: place.x, y: place.y).distance(to: fix.point) < Self.informativeDistance
  }

  /// Returns the standard deviation in dB of the level of the least known adapter that was heard.
  private mutating func levelDeviation() -> Double {
    let heard = Set(packets.map(\.radio))
    if let most = heard.map({ radios.all[$0].learner.levelDeviation }).max() { lastDeviation = most }
    return lastDeviation
  }

  private func absence(heard: Int, isConsistent: Bool, accuracy: Double) -> IndoorAbsence? {
    if heard < Self.leastHeard { return .tooFewTransmitters }
    if ticks <= 3 { return .starting }
    if !isConsistent { return .inconsistent }
    return accuracy > Self.worstAccuracy ? .inaccurate : nil
  }

  private func answer(_ query: IndoorQuery, _ filter: RoomFilter) -> Double {
    switch query {
    case .within(let transmitter, let metres):
      model.transmitters.indices.contains(transmitter) ? filter.probability(of: transmitter, within: metres) : 0
    case .inside(let area): filter.probability(of: area)
    }
  }

  /// Keeps the level until another one is probable enough, so that only stairs and lifts change it.
  private mutating func decideLevel(_ probabilities: [Double], _ best: Int) {
    if probabilities[best] > Self.levelThreshold { level = best }
    if let current = level, probabilities[current] < Self.leastLevelProbability { level = nil }
  }

  private mutating func learn(_ filter: RoomFilter, level: Int) {
    guard isLearning, ticks > 5, motion.activity != .still, !packets.isEmpty, let fix = filter.fix(level: level), gate.add(fix.point),
      filter.spreadOfPosition() <= WalkingGate.mostSpread
    else { return }
    if radios.learn(packets, filter) { revision += 1 }
    checkPlaces(from: fix.point, level: level)
  }

  private mutating func checkPlaces(from point: PlanPoint, level: Int) {
    for (transmitter, packets) in Dictionary(grouping: packets, by: \.transmitter).sorted(by: { $0.key < $1.key }) {
      let place = model.places[transmitter]
      guard place.level == level, let radio = packets.first?.radio else { continue }
      // The level of one adapter; its packets and those of others are not mixed.
      let levels = packets.filter { $0.radio == radio }.map(\.rssi)
      let correction = radios.corrections[radio]
      placementCheck.add(
        levels.reduce(0, +) / Double(levels.count), of: transmitter, at: PlanPoint(x: place.x, y: place.y),
        height: place.z - model.receiverHeight(level: level), power: model.transmitters[transmitter].power + correction.level,
        exponent: RoomModel.pathLossExponent + correction.exponent, from: point)
    }
  }

  /// Forgets the position and the packets, and keeps everything that was learned.
  public mutating func forgetPosition() {
    sleep()
    packets.removeAll(keepingCapacity: true)
    lastSighting = Instant(microseconds: .min)
  }

  /// Stops ticking until a transmitter is heard.
  private mutating func sleep() {
    nextTick = nil
    levels = LevelTracks()
    presence = PresenceDetector(model)
    forget()
  }

  /// Forgets the position.
  private mutating func forget() {
    ticks = 0
    level = nil
    recent.removeAll()
    gate = WalkingGate()
    consistency = ConsistencyCheck(model)
    filter = nil
  }
}

/// The adapters whose level is known, because the configuration states their offset.
public struct IndoorCalibration: Hashable, Sendable {
  /// Whether all adapters are calibrated.
  public var isForAll: Bool
  public var adapters: Set<UInt16>

  public init(isForAll: Bool = false, adapters: Set<UInt16> = []) {
    (self.isForAll, self.adapters) = (isForAll, adapters)
  }

  /// Returns the level in dB with which an adapter starts.
  func level(of adapter: UInt16) -> Double { isForAll || adapters.contains(adapter) ? 0 : RadioLearner.unknownLevel }
}

extension Instant {
  /// The first whole second after this instant.
  fileprivate var followingSecond: Instant {
    let rest = microseconds % 1_000_000
    return self + Span(microseconds: rest >= 0 ? 1_000_000 - rest : -rest)
  }
}

/// The adapters that were heard, with their learners.
private struct RadioSet: Sendable {
  private(set) var all: [(adapter: UInt16, learner: RadioLearner)] = []
  /// The offsets that the position uses.
  private(set) var corrections: [RadioCorrection] = []

  mutating func add(_ adapter: UInt16, _ learner: RadioLearner, most: Int) {
    if let index = all.firstIndex(where: { $0.adapter == adapter }) {
      all[index].learner = learner
      corrections[index] = learner.positionCorrection
    } else if all.count < most {
      all.append((adapter, learner))
      corrections.append(learner.positionCorrection)
    }
  }

  /// Returns the index of an adapter, which may be new; nil if there are too many.
  mutating func index(of adapter: UInt16, _ transmitters: Int, _ calibration: IndoorCalibration, most: Int) -> Int? {
    if let index = all.firstIndex(where: { $0.adapter == adapter }) { return index }
    add(adapter, RadioLearner(transmitters: transmitters, level: calibration.level(of: adapter)), most: most)
    return all.count - 1 < most && all.last?.adapter == adapter ? all.count - 1 : nil
  }

  /// Returns whether offsets changed.
  mutating func learn(_ packets: [RoomPacket], _ filter: RoomFilter) -> Bool {
    var hasChanged = false
    for index in all.indices {
      if all[index].learner.learn(packets.filter { $0.radio == index }, filter: filter) { hasChanged = true }
      corrections[index] = all[index].learner.positionCorrection
    }
    return hasChanged
  }

  /// Forgets what was learned about an adapter; `nil` for all.
  mutating func reset(_ adapter: UInt16?, _ calibration: IndoorCalibration) {
    for index in all.indices where adapter == nil || all[index].adapter == adapter {
      all[index].learner.reset(level: calibration.level(of: all[index].adapter))
      corrections[index] = all[index].learner.positionCorrection
    }
  }
}
