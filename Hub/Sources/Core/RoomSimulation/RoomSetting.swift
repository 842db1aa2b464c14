/// The kind of building and tags of a simulated site.
public struct RoomSetting: Hashable, Sendable {
  public var name: String
  public var floors = 2
  /// Whether rooms open to a corridor with devices of its own; otherwise from room to room.
  public var hasCorridors = true
  /// The width of doors in metres.
  public var doorWidth = 1.0
  /// The attenuation of a wall in dB.
  ///
  /// A heavy one has 6.9 and a light one 3.4 in the multi-wall model of COST 231 (final report, 4.7), measured at 1.8 GHz. Brick has about
  /// 10 at 2.4 GHz.
  public var wall = 6.9
  /// The attenuation of a floor in dB (COST 231).
  public var floor = 18.3
  /// Whether devices hang at walls, some of them shared with another room; otherwise near the middle of the room.
  public var hasDevicesAtWalls = false
  /// The greatest hidden offset of a device in dB.
  public var offset = 8.0
  /// One sigma of shadowing by place in dB: 3 to 6 in shops (Rappaport, table 4.6), of which the walls are modelled apart.
  public var shadowing = 3.0
  /// One sigma of slow fading over time in dB: people and doors.
  public var slowFading = 2.0
  /// The attenuation by the body of the person who carries a tag in dB, at most.
  public var body = 8.0
  /// The mean hours between the outages of a device, which last three minutes on average.
  public var hoursBetweenOutages = 12.0
  /// The mean length of a stay in one place in seconds.
  public var stay = 90.0
  /// The times between digests in seconds, of which each device has one.
  public var intervals: [Double] = [1, 1, 1, 2, 2, 2, 5, 5, 10, 10]
  /// The lengths of walls in metres.
  public var widths = 5.0...8.0
  public var heights = 5.0...7.0
  public var devicesInRoom = 1
  public var stillTags = 15
  public var walkingTags = 15

  public init(name: String) {
    self.name = name
  }

  public static let brick: RoomSetting = {
    var setting = RoomSetting(name: "brick walls, corridors")
    setting.wall = 10
    return setting
  }()

  public static let heavy = RoomSetting(name: "heavy walls, corridors")

  public static let light: RoomSetting = {
    var setting = RoomSetting(name: "light walls, corridors")
    setting.wall = 3.4
    return setting
  }()

  public static let gallery: RoomSetting = {
    var setting = RoomSetting(name: "brick walls, open doorways")
    setting.hasCorridors = false
    setting.doorWidth = 2.5
    setting.wall = 10
    return setting
  }()

  public static let atWalls: RoomSetting = {
    var setting = RoomSetting(name: "brick walls, corridors, devices at walls")
    setting.wall = 10
    setting.hasDevicesAtWalls = true
    return setting
  }()

  public static let halls: RoomSetting = {
    var setting = RoomSetting(name: "halls, open doorways, two devices each")
    setting.hasCorridors = false
    setting.doorWidth = 2
    setting.wall = 10
    (setting.widths, setting.heights) = (9...13, 9...12)
    setting.devicesInRoom = 2
    setting.intervals = [1, 2]
    return setting
  }()

  public static let shops: RoomSetting = {
    var setting = RoomSetting(name: "shops along a mall, two devices each, digests every 2 s")
    setting.wall = 10
    (setting.widths, setting.heights) = (8...12, 8...12)
    setting.devicesInRoom = 2
    setting.intervals = [2]
    return setting
  }()

  public static let all = [shops, halls, brick, heavy, light, gallery, atWalls]
}
