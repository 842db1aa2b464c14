import Beaconmon
import TestSupport

/// A venue of two levels with stairs, around a device that does not move.
enum GuidedVenue {
  /// - Parameter places: the tables of further places.
  static func text(places: String = clock, frame: Bool = true) -> String {
    let location = frame ? "[frame]\nlatitude = 48.137\nlongitude = 11.575\n" : ""
    return """
      format = 1
      name = "Hall"
      uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
      \(location)
      [[level]]
      id = "ground"
      name = { en = "Ground floor", de = "Erdgeschoss" }
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[level]]
      id = "first"
      ordinal = 1
      name = { en = "First floor", de = "Obergeschoss" }
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[level]]
      id = "attic"
      ordinal = 2
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[place]]
      id = "shop"
      level = "first"
      position = [5, 5]
      title = { en = "Shop", de = "Laden" }
      [[place]]
      id = "store"
      level = "attic"
      position = [5, 5]
      [[place]]
      id = "moon"
      level = "ground"
      position = [500, 5]
      [[node]]
      id = "foot"
      level = "ground"
      position = [38, 5]
      [[node]]
      id = "top"
      level = "first"
      position = [38, 5]
      [[edge]]
      from = "foot"
      to = "top"
      kind = "stairs"
      # A venue without beacons would be entered by its outline, for which the source of locations stays on.
      [[beacon]]
      major = 1
      minor = 1
      level = "ground"
      position = [1, 1]
      \(places)
      """
  }

  static let clock = """
    [[place]]
    id = "clock"
    level = "ground"
    position = [30, 5]
    title = { en = "Clock", de = "Uhr" }
    """

  /// A device that stands at the point [10, 5] of the ground floor.
  static let config = """
    venues = ["hall.toml"]
    [location.fixed]
    latitude = 48.1370449
    longitude = 11.5751344
    accuracy = 1.0
    floor = 0

    """
}
