/// A device of a site, and where it hangs.
public struct SiteDevice: Hashable, Sendable {
  /// The key of the device in the hub's database.
  public var id: Int32
  /// The room of the device. Devices that share a room are not rivals.
  public var room: String
  /// The level of the building: 0 is the ground; nil if it is unknown, which turns the veto off for this device.
  public var floor: Int?

  public init(id: Int32, room: String, floor: Int? = nil) {
    (self.id, self.room, self.floor) = (id, room, floor)
  }
}
