import Beacons
import IndoorPositioning
import Ranging
import Venues

// MARK: Learned offsets

extension VenueTracker {
  /// The learned offsets of each adapter, by the id of the venue.
  public var learned: [String: [UInt16: LearnedRadio]] {
    Dictionary(rooms.compactMap { room in room.engine.map { (room.venue.id, $0.learned) } }) { first, _ in first }
  }

  /// The evidence about misplaced beacons, by the id of the venue.
  public var placements: [String: [PlacementEvidence]] {
    Dictionary(rooms.compactMap { room in room.engine.map { (room.venue.id, $0.placements) } }) { first, _ in first }
  }

  /// Forgets what was learned.
  ///
  /// - Parameters:
  ///   - venue: the id of the venue; `nil` for all.
  ///   - adapter: the number of the adapter; `nil` for all.
  public mutating func resetLearning(in venue: String? = nil, of adapter: UInt16? = nil) {
    for index in rooms.indices where venue == nil || rooms[index].venue.id == venue { rooms[index].engine?.resetLearning(of: adapter) }
  }

  /// Continues with stored offsets of an adapter at a venue that became known later; see `IndoorEngine.learn`.
  mutating func learn(_ radio: LearnedRadio, adapter: UInt16, in venue: String) {
    for index in rooms.indices where rooms[index].venue.id == venue { rooms[index].engine?.learn(radio, adapter: adapter) }
  }

  /// Continues with stored evidence about misplaced beacons, by the id of the venue.
  mutating func learn(_ placements: [String: [PlacementEvidence]]) {
    for index in rooms.indices {
      let evidence = placements[rooms[index].venue.id] ?? []
      rooms[index].engine?.learn(evidence)
    }
  }

  /// Returns the learned level in dB of an adapter at a venue; `nil` if the venue has no position.
  ///
  /// - Parameter isCalibrated: whether the configuration declared the level of the adapter while it learned.
  public func level(of radio: LearnedRadio, isCalibrated: Bool, in venue: String) -> Double? {
    rooms.first { $0.venue.id == venue }?.engine.map {
      RadioLearner(radio, model: $0.model, isCalibrated: isCalibrated).correction.level
    }
  }

  /// Returns the changes of configured offsets that would declare what an adapter has learned.
  ///
  /// Nil if the venue has no position. The beacons are in the order of the venue.
  ///
  /// - Parameter isCalibrated: whether the configuration declared the level of the adapter while it learned.
  public func declaration(
    of radio: LearnedRadio, isCalibrated: Bool, in venue: String
  ) -> (receiver: RadioDeclaration, beacons: [(beacon: BeaconIdentity, change: RadioDeclaration.Change)])? {
    guard let room = rooms.first(where: { $0.venue.id == venue }), let model = room.engine?.model else { return nil }
    let declaration = RadioLearner(radio, model: model, isCalibrated: isCalibrated).declaration
    let beacons = declaration.offsets.sorted { $0.key < $1.key }.map { (room.venue.beacons[$0.key].identity, $0.value) }
    return (declaration, beacons)
  }

  /// Returns the beacons of a venue that seem not to hang where the plan says, and by how many metres.
  ///
  /// The result is a hint. The position does not use it.
  public func misplaced(in venue: String) -> [(beacon: BeaconIdentity, metres: Double)] {
    guard let room = rooms.first(where: { $0.venue.id == venue }), let engine = room.engine else { return [] }
    return engine.misplaced.map { (room.venue.beacons[$0.transmitter].identity, $0.metres) }
  }

  /// The number of times that learned offsets changed.
  var revision: Int { rooms.reduce(0) { $0 + ($1.engine?.revision ?? 0) } }

  /// The learned reception of each beacon, for ranging without a position.
  public var receptions: [BeaconIdentity: [LearnedReception]] {
    var result: [BeaconIdentity: [LearnedReception]] = [:]
    for (beacon, target) in targets {
      guard let engine = rooms[target.room].engine else { continue }
      let power = target.isMeasured ? engine.model.transmitters[target.transmitter].power : nil
      for (adapter, correction) in engine.corrections {
        result[beacon, default: []].append(
          LearnedReception(
            adapter: adapter, offset: correction.offset(of: target.transmitter),
            model: PathLossModel(exponent: RoomModel.pathLossExponent + correction.exponent), referencePower: power))
      }
    }
    return result
  }

  /// Changes the calibration, which applies from the next sighting on.
  ///
  /// Forgets the learned offsets of each adapter and of each beacon whose configured offset changes, because they contain the difference.
  public mutating func calibrate(_ ranging: RangingSettings) {
    let before = self.ranging
    guard ranging != before else { return }
    self.ranging = ranging
    for index in rooms.indices {
      rooms[index].engine?.calibration = ranging.calibration
      for adapter in rooms[index].engine?.adapters ?? [] where ranging.level(of: adapter) != before.level(of: adapter) {
        rooms[index].engine?.resetLearning(of: adapter)
      }
    }
    guard ranging.beaconOffsets != before.beaconOffsets else { return }
    for (beacon, target) in targets {
      rooms[target.room].engine?.declare(offset: ranging.beaconOffsets[beacon] ?? 0, of: target.transmitter)
    }
  }
}

extension RangingSettings {
  /// The adapters whose level is known.
  var calibration: IndoorCalibration { IndoorCalibration(isForAll: isCalibrated, adapters: calibratedAdapters) }
}
