/// The adapters that were heard, with their learners.
struct RadioSet: Sendable {
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
    add(adapter, RadioLearner(transmitters: transmitters, isCalibrated: calibration.contains(adapter)), most: most)
    return all.count - 1 < most && all.last?.adapter == adapter ? all.count - 1 : nil
  }

  /// The adapters whose declared level is used.
  var trustedCount: Int { all.count { $0.learner.isTrusted } }

  /// Returns whether offsets changed.
  mutating func learn(_ packets: [RoomPacket], _ filter: RoomFilter) -> Bool {
    var hasChanged = false
    for index in all.indices {
      if all[index].learner.learn(packets.filter { $0.radio == index }, filter: filter) { hasChanged = true }
      corrections[index] = all[index].learner.positionCorrection
    }
    return hasChanged
  }

  /// Distrusts the declared levels of the adapters that heard packets and whose learned levels are doubtful.
  ///
  /// - Returns: whether there are any.
  mutating func distrust(_ packets: [RoomPacket]) -> Bool {
    let wrong = Set(packets.map(\.radio)).filter { all[$0].learner.isDoubtful }
    for index in wrong {
      all[index].learner.distrust()
      corrections[index] = all[index].learner.positionCorrection
    }
    return !wrong.isEmpty
  }

  /// Forgets what was learned about a transmitter.
  mutating func forget(_ transmitter: Int) {
    for index in all.indices {
      all[index].learner.forget(transmitter)
      corrections[index] = all[index].learner.positionCorrection
    }
  }

  /// Forgets what was learned about an adapter; `nil` for all.
  mutating func reset(_ adapter: UInt16?, _ calibration: IndoorCalibration) {
    for index in all.indices where adapter == nil || all[index].adapter == adapter {
      all[index].learner.reset(isCalibrated: calibration.contains(all[index].adapter))
      corrections[index] = all[index].learner.positionCorrection
    }
  }
}
