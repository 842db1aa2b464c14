import IndoorPositioning
import Instants
import Regions
import Venues

// MARK: Fixes of other sources

extension VenueTracker {
  /// Lets a fix of another source decide which venues the device can be at.
  ///
  /// - Returns: the outputs of the venues that it excludes from now on.
  mutating func note(_ fix: Fix, at time: Instant) -> [IndoorPosition] {
    guard fix.end > time else { return [] }
    lastFix = fix
    var positions: [IndoorPosition] = []
    for index in rooms.indices {
      let (wasClosed, insideUntil) = (rooms[index].gate.isClosed, rooms[index].gate.insideUntil)
      rooms[index].gate.note(fix, isHeard: rooms[index].isHeard(at: time), at: time)
      rooms[index].outline?.note(fix, at: time)
      if rooms[index].gate.insideUntil > time { rooms[index].presence?.noteInside(at: time) }
      if rooms[index].gate.insideUntil < insideUntil { rooms[index].presence?.noteDoubt(at: time) }
      if rooms[index].gate.isClosed, !wasClosed { positions.append(leave(index, at: time)) }
    }
    return positions
  }

  /// Forgets the fixes, after which the device can be anywhere.
  mutating func forgetFixes(at time: Instant) {
    lastFix = nil
    for index in rooms.indices {
      rooms[index].outline?.forget(at: time)
      if rooms[index].gate.insideUntil > time { rooms[index].presence?.noteDoubt(at: time) }
      rooms[index].gate.forget()
    }
  }

  /// Returns how regions judge the venues about which fixes decide at `time`. Applying it again changes nothing.
  ///
  /// Places and levels need an estimate that stays valid; whole venues take the position.
  func decisionsOfFixes(at time: Instant) -> (estimates: [PlaceEstimate], wholes: [VenueArea: AreaPosition]) {
    var wholes: [VenueArea: AreaPosition] = [:]
    for room in rooms {
      let position: AreaPosition?
      if let outline = room.outline {
        position = outline.reported
      } else if room.gate.isClosed {
        position = .outer
      } else {
        position = room.presence?.isInside == true && room.gate.insideUntil > time ? .inner : nil
      }
      let area = VenueArea(.whole, venue: room.venue.id)
      if let position, watched.contains(area) { wholes[area] = position }
    }
    return (rooms.filter { $0.gate.isClosed && !$0.areas.isEmpty }.map(Self.outside), wholes)
  }

  /// Returns whether a fix excludes a venue.
  func isExcluded(_ venue: String) -> Bool { rooms.contains { $0.venue.id == venue && $0.gate.isClosed } }

  /// Opens gates whose fixes have expired.
  mutating func expireGates(through time: Instant) {
    for index in rooms.indices { rooms[index].gate.expire(through: time) }
  }

  /// Starts listening again after no adapter could hear.
  mutating func resume(at time: Instant) {
    for index in rooms.indices { rooms[index].presence?.resume(at: time) }
  }

  /// Stops listening, because no adapter can hear.
  mutating func stopHearing(at time: Instant) {
    for index in rooms.indices {
      let insideUntil = rooms[index].gate.insideUntil
      rooms[index].presence?.stop(at: time, insideUntil: insideUntil)
    }
  }

  /// Returns whether the device is at the whole venues that are due at `time`, and the venues that become unknown.
  ///
  /// - Parameter canHear: whether an adapter scans, so that silence means absence.
  mutating func takePresences(at time: Instant, canHear: Bool) -> (positions: [VenueArea: AreaPosition], lost: Set<VenueArea>) {
    var (positions, lost): ([VenueArea: AreaPosition], Set<VenueArea>) = ([:], [])
    for index in rooms.indices {
      let area = VenueArea(.whole, venue: rooms[index].venue.id)
      if rooms[index].outline?.take(at: time) == true {
        if let position = rooms[index].outline?.reported { positions[area] = position } else { lost.insert(area) }
      }
      let (insideUntil, isClosed) = (rooms[index].gate.insideUntil, rooms[index].gate.isClosed)
      let wasInside = rooms[index].presence?.isInside == true
      guard let position = rooms[index].presence?.take(at: time, insideUntil: insideUntil) else { continue }
      if canHear || isClosed || position == .inner {
        positions[area] = position
      } else {
        rooms[index].presence?.withdraw()
        if wasInside { lost.insert(area) }
      }
    }
    return (positions, lost)
  }

  /// Resets the filter of a venue that a fix excludes.
  mutating func leave(_ index: Int, at time: Instant) -> IndoorPosition {
    rooms[index].reset()
    rooms[index].presence?.leave(at: time)
    return IndoorPosition(venue: rooms[index].venue.id, coordinate: nil, output: .outside(at: time))
  }
}
