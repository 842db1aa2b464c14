import Seeds

/// A point on a floor, in metres.
public struct SitePoint: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var floor: Int

  func isNear(_ other: SitePoint) -> Bool { floor == other.floor && (x - other.x).magnitude + (y - other.y).magnitude < 0.01 }
}

/// A simulated site: floors with rooms, walls, openings and devices.
public struct SimulatedSite: Sendable {
  public struct Room: Sendable {
    public var name: String
    public var floor: Int
    public var x: ClosedRange<Double>
    public var y: ClosedRange<Double>

    var isCorridor: Bool { name.hasPrefix("corridor") }

    /// Returns a random point, at least 0.4 m from the walls.
    func point(_ random: inout SeededGenerator) -> SitePoint {
      SitePoint(
        x: .random(in: x.lowerBound + 0.4...x.upperBound - 0.4, using: &random),
        y: .random(in: y.lowerBound + 0.4...y.upperBound - 0.4, using: &random), floor: floor)
    }
  }

  /// A door, an open doorway or a flight of stairs between two rooms.
  struct Opening {
    var rooms: (Int, Int)
    var place: SitePoint
    /// The seconds on the stairs.
    var climb = 0.0

    /// Returns the room on the other side; nil if the opening is in other rooms.
    func other(than room: Int) -> Int? { rooms.0 == room ? rooms.1 : rooms.1 == room ? rooms.0 : nil }
  }

  /// A straight part of a wall without openings, parallel to an axis.
  struct Wall {
    var floor: Int
    var isVertical: Bool
    var at: Double
    var from: Double
    var to: Double
  }

  public struct Device: Sendable {
    public var room: Int
    public var place: SitePoint
    /// The hidden offset in dB.
    public var offset: Double
    /// The time between digests in seconds.
    public var interval: Double
    /// The error of the clock by which the hub dates its digests, in seconds.
    public var clockError: Double
  }

  public internal(set) var rooms: [Room] = []
  public internal(set) var devices: [Device] = []
  var openings: [Opening] = []
  var walls: [Wall] = []

  /// Makes a site: each floor has two rows of rooms, with a corridor between them or with open doorways from room to room.
  init(_ setting: RoomSetting, _ random: inout SeededGenerator) {
    let widths = (0..<4).map { _ in Double.random(in: setting.widths, using: &random) }
    let heights = (0..<2).map { _ in Double.random(in: setting.heights, using: &random) }
    let corridor = setting.hasCorridors ? 2.5 : 0
    var landing: Int?
    for floor in 0..<setting.floors {
      let first = rooms.count
      var x = 0.0
      for (column, width) in widths.enumerated() {
        for (row, y) in [0...heights[0], heights[0] + corridor...heights[0] + corridor + heights[1]].enumerated() {
          rooms.append(Room(name: "room \(floor).\(column).\(row)", floor: floor, x: x...x + width, y: y))
        }
        x += width
      }
      let stairs = SitePoint(x: 1, y: heights[0] - (corridor > 0 ? -1.2 : 1), floor: floor)
      var middle = first
      if corridor > 0 {
        middle = rooms.count
        rooms.append(Room(name: "corridor \(floor)", floor: floor, x: 0...x, y: heights[0]...heights[0] + corridor))
      }
      addWalls(first..<first + 8, corridor: corridor > 0 ? middle : nil, door: setting.doorWidth, &random)
      if let landing { openings.append(Opening(rooms: (landing, middle), place: stairs, climb: 12)) }
      landing = middle
    }
    placeDevices(setting, &random)
  }

  private mutating func addWalls(_ row: Range<Int>, corridor: Int?, door: Double, _ random: inout SeededGenerator) {
    for index in row {
      let room = rooms[index]
      // The wall to the room on the right.
      if index + 2 < row.upperBound {
        let place = Double.random(in: room.y.lowerBound + 1.5...room.y.upperBound - 1.5, using: &random)
        add(
          Wall(floor: room.floor, isVertical: true, at: room.x.upperBound, from: room.y.lowerBound, to: room.y.upperBound),
          door: corridor == nil ? place : nil, width: door, between: (index, index + 2))
      }
      let isLower = (index - row.lowerBound) % 2 == 0
      let wall = Wall(
        floor: room.floor, isVertical: false, at: isLower ? room.y.upperBound : room.y.lowerBound, from: room.x.lowerBound,
        to: room.x.upperBound)
      let place = Double.random(in: room.x.lowerBound + 1.5...room.x.upperBound - 1.5, using: &random)
      if let corridor {
        add(wall, door: place, width: door, between: (index, corridor))
      } else if isLower {
        // A gallery is a ring: the rows meet at both ends.
        let isEnd = index == row.lowerBound || index == row.upperBound - 2
        add(wall, door: isEnd ? place : nil, width: door, between: (index, index + 1))
      }
    }
  }

  private mutating func add(_ wall: Wall, door: Double?, width: Double, between rooms: (Int, Int)) {
    guard let door else {
      walls.append(wall)
      return
    }
    var (left, right) = (wall, wall)
    left.to = door - width / 2
    right.from = door + width / 2
    walls += [left, right]
    let place = wall.isVertical ? SitePoint(x: wall.at, y: door, floor: wall.floor) : SitePoint(x: door, y: wall.at, floor: wall.floor)
    openings.append(Opening(rooms: rooms, place: place))
  }

  private mutating func placeDevices(_ setting: RoomSetting, _ random: inout SeededGenerator) {
    func device(_ room: Int, _ x: Double, _ y: Double) -> Device {
      Device(
        room: room, place: SitePoint(x: x, y: y, floor: rooms[room].floor),
        offset: .random(in: -setting.offset...setting.offset, using: &random),
        interval: setting.intervals.randomElement(using: &random) ?? 1,
        clockError: .random(in: -1...1, using: &random))
    }
    func between(_ range: ClosedRange<Double>, _ share: Double) -> Double {
      range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
    for (index, room) in rooms.enumerated() {
      if room.isCorridor {
        for share in [0.25, 0.75] { devices.append(device(index, between(room.x, share), between(room.y, 0.5))) }
        continue
      }
      if setting.devicesInRoom == 2 {
        for share in [0.25, 0.75] {
          devices.append(device(index, between(room.x, share), between(room.y, .random(in: 0.25...0.75, using: &random))))
        }
        continue
      }
      var shares = (Double.random(in: 0.35...0.65, using: &random), Double.random(in: 0.35...0.65, using: &random))
      if setting.hasDevicesAtWalls {
        let edge = Bool.random(using: &random) ? 0.05 : 0.95
        if Bool.random(using: &random) { shares.0 = edge } else { shares.1 = edge }
      }
      devices.append(device(index, between(room.x, shares.0), between(room.y, shares.1)))
    }
  }
}
