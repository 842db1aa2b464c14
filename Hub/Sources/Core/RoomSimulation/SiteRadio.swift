import RealModule
import Seeds

/// The propagation in a site: the multi-wall model with shadowing that is correlated by place.
struct SiteRadio {
  /// The level at 1 m in dBm.
  static let power = -59.0
  /// The level below which a receiver hears nothing.
  static let sensitivity = -95.0

  /// A shadowing field as a sum of waves with random directions (Rice's method, as in Patzold, Mobile Radio Channels, 4.1).
  private struct Field {
    var waves: [(x: Double, y: Double, phase: Double)]

    /// Fields have a correlation of 0.6 after 2 m, the size of furniture.
    init(_ random: inout SeededGenerator) {
      waves = (0..<12).map { _ in (random.normal() / 2, random.normal() / 2, .random(in: 0..<2 * .pi, using: &random)) }
    }

    func value(_ place: SitePoint) -> Double {
      var sum = 0.0
      for wave in waves { sum += Double.cos(wave.x * place.x + wave.y * place.y + wave.phase) }
      return sum * (2 / Double(waves.count)).squareRoot()
    }
  }

  let plan: SimulatedSite
  private let setting: RoomSetting
  /// A field for each floor and device.
  private let fields: [[Field]]

  init(_ plan: SimulatedSite, _ setting: RoomSetting, _ random: inout SeededGenerator) {
    (self.plan, self.setting) = (plan, setting)
    fields = (0..<setting.floors).map { _ in plan.devices.map { _ in Field(&random) } }
  }

  /// Returns the mean level of a tag that a device reports.
  func level(of device: Int, at place: SitePoint) -> Double {
    let receiver = plan.devices[device]
    let floors = Double((place.floor - receiver.place.floor).magnitude)
    let (x, y, z) = (place.x - receiver.place.x, place.y - receiver.place.y, 1 + 3 * floors)
    let distance = Swift.max(0.25, x * x + y * y + z * z)
    // Waves go round many walls by corridors and windows.
    let walls = Swift.min(3 * setting.wall, setting.wall * Double(crossings(place, receiver.place)))
    let shadowing = setting.shadowing * fields[place.floor][device].value(place)
    return Self.power - 10 * Double.log10(distance) - walls - setting.floor * floors + shadowing + receiver.offset
  }

  /// Returns the number of walls that the straight line crosses, by those of the floor of the tag.
  private func crossings(_ a: SitePoint, _ b: SitePoint) -> Int {
    var count = 0
    for wall in plan.walls where wall.floor == a.floor {
      let (from, to) = wall.isVertical ? (a.x, b.x) : (a.y, b.y)
      guard (from < wall.at) != (to < wall.at) else { continue }
      let share = (wall.at - from) / (to - from)
      let across = wall.isVertical ? a.y + share * (b.y - a.y) : a.x + share * (b.x - a.x)
      if wall.from <= across && across <= wall.to { count += 1 }
    }
    return count
  }
}
