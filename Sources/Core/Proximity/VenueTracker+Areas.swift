import IndoorPositioning
import Instants
import Regions
import Venues

extension VenueTracker {
  /// Sets the areas whose probabilities are computed each second, and returns whether they differ from those before.
  /// Finding the cells of an area visits each cell, so it is done once.
  @discardableResult
  mutating func watch(_ areas: Set<VenueArea>, at time: Instant) -> Bool {
    guard areas != watched else { return false }
    watched = areas
    for index in rooms.indices {
      let room = rooms[index]
      let isWatched = areas.contains(VenueArea(.whole, venue: room.venue.id))
      rooms[index].watchWhole(isWatched, lastFix.flatMap { $0.end > time ? $0 : nil }, at: time)
      guard let model = room.engine?.model else { continue }
      let cells = areas.sorted(by: VenueArea.precedes).compactMap { area -> (VenueArea, RoomArea)? in
        guard area.venue == nil || area.venue == room.venue.id else { return nil }
        return model.area(area.part, of: room.venue).map { (area, $0) }
      }
      rooms[index].areas = cells.map(\.0)
      rooms[index].engine?.queries = cells.map { .inside($0.1) }
    }
    return true
  }

  /// The watched areas that no venue has.
  var unknownAreas: Set<VenueArea> {
    watched.filter { area in
      !rooms.contains { area.part == .whole ? area.venue == $0.venue.id && $0.isDecidable : $0.areas.contains(area) }
    }
  }

  /// Restarts at `time`, the first of a clock that was unknown before.
  mutating func restart(at time: Instant) {
    lastFix = nil
    for index in rooms.indices {
      rooms[index].reset()
      rooms[index].gate.forget()
      rooms[index].lastHeard = Instant(microseconds: .min)
      if rooms[index].presence != nil { rooms[index].presence = VenuePresence(at: time) }
      if rooms[index].outline != nil { rooms[index].outline = VenueOutline(rooms[index].venue).map(OutlinePresence.init) }
    }
    stopListening()
  }

  /// Whether the device never moves.
  var isFixed: Bool { receiver != nil }

  /// Returns the place by which regions judge a device that never moves; `nil` for other devices.
  func fixedEstimate(at time: Instant) -> PlaceEstimate? {
    guard let receiver, let (venue, level) = receiver.place(in: rooms.map(\.venue)) else { return nil }
    let fix = venue.frame?.coordinate(for: receiver.position).map {
      Fix(place: $0, accuracy: FixedReceiver.accuracy, time: time, isLasting: true)
    }
    var probabilities: [VenueArea: Double] = [:]
    for room in rooms {
      for (area, query) in zip(room.areas, room.engine?.queries ?? []) {
        guard case .inside(let cells) = query, let model = room.engine?.model else { continue }
        let isInside = room.venue.id == venue.id && model.contains(receiver.position, level: level.ordinal, in: cells)
        probabilities[area] = max(probabilities[area] ?? 0, isInside ? 1 : 0)
      }
      let whole = VenueArea(.whole, venue: room.venue.id)
      if watched.contains(whole) { probabilities[whole] = room.venue.id == venue.id ? 1 : 0 }
    }
    return PlaceEstimate(fix: fix, probabilities: probabilities, isLasting: true)
  }
}

extension VenueArea {
  fileprivate static func precedes(_ a: VenueArea, _ b: VenueArea) -> Bool { a.sortKey.lexicographicallyPrecedes(b.sortKey) }

  private var sortKey: [String] { [venue ?? "", level ?? "", place ?? ""] }
}
