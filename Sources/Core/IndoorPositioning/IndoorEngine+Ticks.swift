import Instants
import Motion
import Venues

// MARK: A tick

extension IndoorEngine {
  /// The minimum probability at which a level is reported.
  private static let levelThreshold = 0.9
  /// The probability below which the level reported last is given up.
  private static let leastLevelProbability = 0.05
  private static let loudestCount = 4
  /// The weight of the packets of a still receiver.
  ///
  /// Fading depends on the place, so a still receiver measures the same error again and again.
  private static let stillShare = 0.05
  /// The distance in metres up to which a transmitter counts for the accuracy.
  private static let informativeDistance = 15.0

  mutating func tick(at time: Instant) -> IndoorOutput {
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
    // Moved out during the change, so that the filter is not copied.
    var filter = self.filter.take() ?? RoomFilter(model: model, survey: survey)
    filter.focus(on: loudest.map(\.transmitter).sorted())
    // Until the position is known, a still receiver is searched like a moving one.
    ticksSinceLoss += 1
    let motion = min(ticks, ticksSinceLoss) > Self.secondsToSettle ? motion : .unknown
    if ticks > 0 { filter.predict(motion) }
    filter.update(packets, radios: radios.corrections, share: motion.activity == .still ? Self.stillShare : 1)
    ticks += 1
    defer { self.filter = filter }
    let probabilities = filter.levelProbabilities()
    let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    if learn(filter, level: level ?? best) {
      startAgain(&filter)
      return IndoorOutput(time: time, absence: .inconsistent)
    }
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
    if !isConsistent, radios.distrust(packets) {
      revision += 1
      startAgain(&filter)
      return IndoorOutput(time: time, absence: .inconsistent)
    }
    if let absence = absence(heard: heard, isConsistent: isConsistent, accuracy: accuracy) {
      return IndoorOutput(time: time, absence: absence)
    }
    return IndoorOutput(
      time: time,
      estimate: IndoorEstimate(
        level: model.levels[level].ordinal, levelProbability: probabilities[level], point: fix.point, radius: fix.radius,
        accuracy: accuracy,
        heard: heard, levelDeviation: lastDeviation),
      distances: levels.all(at: time).map {
        IndoorOutput.Distance(transmitter: $0, distance: filter.distance(to: $0).widened(byLevelOf: lastDeviation))
      },
      answers: queries.map { answer($0, filter) })
  }

  /// Whether a transmitter is close enough to resolve metres: the level of a distant one hardly changes.
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

  /// Returns whether the declared level of an adapter turned out to be wrong.
  private mutating func learn(_ filter: RoomFilter, level: Int) -> Bool {
    guard isLearning, ticks > 5, motion.activity != .still, !packets.isEmpty, let point = filter.point(level: level), gate.add(point),
      filter.spreadOfPosition() <= WalkingGate.mostSpread
    else { return false }
    let trusted = radios.trustedCount
    if radios.learn(packets, filter) { revision += 1 }
    guard radios.trustedCount == trusted else { return true }
    checkPlaces(from: point, level: level)
    return false
  }

  /// Restarts the search for the position.
  ///
  /// The former distances to the loudest transmitter still count, until newer ones show that the level is right.
  private mutating func startAgain(_ filter: inout RoomFilter) {
    filter.restart()
    ticks = 0
    level = nil
    recent.removeAll()
    gate = WalkingGate()
  }

  private mutating func checkPlaces(from point: PlanPoint, level: Int) {
    for (transmitter, packets) in Dictionary(grouping: packets, by: \.transmitter).sorted(by: { $0.key < $1.key }) {
      let place = model.places[transmitter]
      guard place.level == level, let radio = packets.first?.radio else { continue }
      // The packets of one adapter only, because the levels of adapters differ.
      let levels = packets.filter { $0.radio == radio }.map(\.rssi)
      let correction = radios.corrections[radio]
      placementCheck.add(
        levels.reduce(0, +) / Double(levels.count), of: transmitter, at: PlanPoint(x: place.x, y: place.y),
        height: place.z - model.receiverHeight(level: level), power: model.transmitters[transmitter].power + correction.level,
        exponent: RoomModel.pathLossExponent + correction.exponent, from: point)
    }
  }
}
