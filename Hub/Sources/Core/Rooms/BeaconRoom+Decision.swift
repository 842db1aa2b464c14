import Instants

extension BeaconRoom {
  /// Returns the reason for a change if the evidence suffices now.
  mutating func decide(in site: borrowing RoomSite) -> RoomChange.Reason? {
    let time = latest
    let step = Swift.min(Float(time - decided) / 1e6, Float(site.settings.longestStep.seconds))
    decided = time
    let readings = readings(in: site)
    follow(readings, step: step, in: site)
    var best: (room: Int32, likelihood: Float)?
    for index in readings.list.indices {
      let room = site.devices[Int(readings.list[index].slot)].room
      guard room != self.room, !readings.list[..<index].contains(where: { site.devices[Int($0.slot)].room == room }) else { continue }
      let likelihood = site.likelihood(ofRoom: room, readings, power: power) - site.doorLead(from: self.room, to: room)
      if best.map({ likelihood > $0.likelihood }) ?? true { best = (room, likelihood) }
    }
    guard let best else {
      withdraw()
      return nil
    }
    guard let present = self.room else {
      // A second reading, so that a beacon that only passes outside gets no room.
      gather(step: step, excess: 1, for: best.room, at: time)
      guard evidence > 0, let winner = loudest(in: best.room, readings, site) else { return nil }
      enter(best.room, at: time)
      return .appeared(site.reading(winner))
    }
    let lead = best.likelihood - site.likelihood(ofRoom: present, readings, power: power)
    let former = loudest(in: present, readings, site)
    let winner = loudest(in: best.room, readings, site)
    let isBetweenFloors = site.areOnDifferentFloors(present, best.room)
    let isFresh = time - moved < site.settings.freshTime.microseconds
    let required = Float((isFresh ? site.settings.movedLead : site.settings.restLead) + (isBetweenFloors ? site.settings.floorLead : 0))
    gather(step: step, excess: Swift.min(lead - required, Float(site.settings.greatestLead)), for: best.room, at: time)
    let isPassing = site.places != nil && time - moved < site.settings.settlingTime.microseconds
    let factor = (isBetweenFloors ? site.settings.floorFactor : 1) * (isPassing ? site.settings.passingFactor : 1)
    guard evidence >= Float(site.settings.evidence * factor), let winner else {
      if lead > Float(-site.settings.clearLead) { unclear = time }
      return nil
    }
    let comparison = RoomChange.Comparison(
      present: site.reading(winner), former: former.map { site.reading($0) }, lead: Double(lead), requiredLead: Double(required),
      held: Span(microseconds: time - candidateSince), isBetweenFloors: isBetweenFloors)
    enter(best.room, at: time)
    return .moreLikely(comparison)
  }

  /// Returns the levels of the devices that hear the beacon, without those that are silent for all beacons.
  func readings(in site: borrowing RoomSite) -> RoomReadings {
    var readings = RoomReadings(time: latest)
    for receiver in receivers where latest - receiver.last < 2_000_000 || !site.devices[Int(receiver.slot)].isSilent(at: latest) {
      readings.append(site.level(receiver, at: latest), slot: receiver.slot)
    }
    if receivers.count >= site.mostReceivers {
      readings.limit = Swift.max(readings.limit, readings.list.map(\.level).min() ?? readings.limit)
    }
    return readings
  }

  /// Compares the levels with those of the beacon's place.
  ///
  /// The place follows them: at once if the beacon has moved, and slowly while it rests.
  private mutating func follow(_ readings: RoomReadings, step: Float, in site: borrowing RoomSite) {
    guard !readings.list.isEmpty else { return }
    var sum: Float = 0
    for (slot, level) in readings.list {
      guard let receiver = receivers.first(where: { $0.slot == slot }) else { continue }
      sum += (level - receiver.anchor) * (level - receiver.anchor)
    }
    let hasMoved = sum > Float(readings.list.count) * Float(site.settings.movement)
    if hasMoved { moved = latest }
    let share = hasMoved ? 1 : step / (step + Float(site.settings.placeTime.seconds))
    for index in receivers.indices {
      receivers[index].anchor += share * (site.level(receivers[index], at: latest) - receivers[index].anchor)
    }
  }

  /// Adds evidence for a candidate. A different candidate starts without evidence.
  private mutating func gather(step: Float, excess: Float, for room: Int32, at time: Int64) {
    if candidate != room {
      guard excess > 0 else {
        if candidate == nil { return }
        evidence += step * excess
        if evidence <= 0 { withdraw() }
        return
      }
      (candidate, candidateSince, evidence) = (room, time, 0)
      return
    }
    evidence += step * excess
    if evidence <= 0 && excess <= 0 { withdraw() }
  }

  private mutating func withdraw() {
    (candidate, evidence) = (nil, 0)
  }

  private mutating func enter(_ room: Int32, at time: Int64) {
    self.room = room
    (since, sampled, samples) = (time, time, 0)
    withdraw()
  }

  private func loudest(
    in room: Int32, _ readings: RoomReadings, _ site: borrowing RoomSite
  ) -> (slot: Int32, level: Float)? {
    var loudest: (slot: Int32, level: Float)?
    for reading in readings.list where site.devices[Int(reading.slot)].room == room {
      if loudest.map({ reading.level > $0.level }) ?? true { loudest = reading }
    }
    return loudest
  }

  /// Whether the present stay should teach its levels now: when no other room is in question, and for about its first minute.
  ///
  /// A beacon that is carried through a room teaches its places; one that lies still repeats the errors of one place.
  mutating func isDue(at time: Int64) -> Bool {
    guard room != nil, candidate == nil, unclear < time, samples < Self.mostSamples, time - sampled >= Self.sampleTime else {
      return false
    }
    (sampled, samples) = (time, samples + 1)
    return true
  }
}
