import Instants

extension BeaconRoom {
  /// The loudest device of a room.
  struct Leader {
    var slot: Int32
    var score: Float
  }

  /// Returns the reason for a change if the evidence suffices now.
  mutating func decide(settings: RoomFilterSettings, devices: [DeviceRecord]) -> RoomChange.Reason? {
    let time = latest
    let step = Swift.min(Float(time - decided) / 1e6, Float(settings.longestStep.seconds))
    decided = time
    var own: Leader?
    var best: Leader?
    for rival in rivals {
      let score = rival.score(at: time, settings: settings, devices: devices)
      if let room, devices[Int(rival.slot)].room == room {
        if own.map({ score > $0.score }) ?? true { own = Leader(slot: rival.slot, score: score) }
      } else if best.map({ score > $0.score }) ?? true {
        best = Leader(slot: rival.slot, score: score)
      }
    }
    guard let best else {
      withdraw()
      return nil
    }
    let winner = devices[Int(best.slot)]
    guard room != nil else {
      // A second reading, so that a beacon that only passes outside gets no room.
      gather(step: step, excess: Float(settings.greatestLead), for: winner.room, at: time)
      guard evidence > 0 else { return nil }
      enter(winner.room, at: time, from: nil, to: best.slot)
      return .appeared(level: Double(best.score), device: winner.device.id)
    }
    let former = own.map { devices[Int($0.slot)] }
    let isBetweenFloors = former.map { winner.isOnAnotherFloor(than: $0) } ?? false
    let isSilent = former?.isSilent(at: time) ?? false
    let required = Float(settings.lead + (isBetweenFloors ? settings.floorLead : 0) + (isSilent ? settings.outageLead : 0))
    let excess = own.map { best.score - $0.score - required } ?? Float(settings.greatestLead)
    gather(step: step, excess: Swift.min(excess, Float(settings.greatestLead)), for: winner.room, at: time)
    guard evidence >= Float(settings.evidence * (isBetweenFloors ? settings.floorFactor : 1)) else { return nil }
    let comparison = RoomChange.Comparison(
      device: winner.device.id, level: Double(best.score), formerDevice: former?.device.id, formerLevel: own.map { Double($0.score) },
      requiredLead: Double(required), held: Span(microseconds: time - challengerSince), isBetweenFloors: isBetweenFloors,
      isFormerDeviceSilent: isSilent)
    enter(winner.room, at: time, from: own?.slot, to: best.slot)
    return .louder(comparison)
  }

  /// Adds evidence for a challenger; another one starts anew.
  private mutating func gather(step: Float, excess: Float, for room: Int32, at time: Int64) {
    if challenger != room {
      guard excess > 0 else {
        withdraw()
        return
      }
      (challenger, challengerSince, evidence) = (room, time, 0)
      return
    }
    evidence += step * excess
    if evidence <= 0 && excess <= 0 { withdraw() }
  }

  private mutating func withdraw() {
    (challenger, evidence) = (nil, 0)
  }

  private mutating func enter(_ room: Int32, at time: Int64, from former: Int32?, to present: Int32) {
    lesson = former.flatMap { former in difference(former, present).map { Lesson(former: former, present: present, difference: $0) } }
    self.room = room
    since = time
    withdraw()
    for index in rivals.indices { (rivals[index].stayLevel, rivals[index].stayWeight) = (rivals[index].level, 0) }
  }

  /// The difference of the mean levels of two devices in the present stay; nil before both are known.
  private func difference(_ a: Int32, _ b: Int32) -> Float? {
    guard let a = rivals.first(where: { $0.slot == a }), let b = rivals.first(where: { $0.slot == b }), a.stayWeight >= 8, b.stayWeight >= 8
    else { return nil }
    return a.stayLevel - b.stayLevel
  }

  /// Returns the devices and the measured difference of their offsets, once after a change.
  mutating func learn() -> (former: Int32, present: Int32, difference: Float)? {
    guard let lesson, latest - since >= 20_000_000 else { return nil }
    guard let difference = difference(lesson.former, lesson.present) else {
      if latest - since > 120_000_000 { self.lesson = nil }
      return nil
    }
    self.lesson = nil
    // Both devices hear a beacon at the border of two rooms alike in both stays.
    guard lesson.difference - difference >= 6 else { return nil }
    return (lesson.former, lesson.present, (lesson.difference + difference) / 2)
  }
}
