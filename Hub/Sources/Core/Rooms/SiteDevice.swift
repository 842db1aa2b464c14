/// A device of a site, and where it hangs.
public struct SiteDevice: Hashable, Sendable {
  /// The key of the device in the hub's database.
  public var id: Int32
  /// The room of the device. Devices that share a room do not compete for a beacon.
  public var room: String
  /// The level of the building: 0 is the ground; nil if it is unknown, which turns the veto off for this device.
  public var floor: Int?

  public init(id: Int32, room: String, floor: Int? = nil) {
    (self.id, self.room, self.floor) = (id, room, floor)
  }

  /// Returns why a device cannot hang at a place; nil if it can.
  ///
  /// - Parameters:
  ///   - room: The room; nil without one.
  ///   - floor: The level of the building; nil if it is unknown.
  public static func fault(ofRoom room: String?, floor: Int?) -> String? {
    if floor != nil, room == nil { return "--floor belongs to a room; add --room" }
    if let room {
      guard !room.isEmpty else { return "the name of a room has 1 to 64 characters; leave out --room if the device hangs in no room" }
      guard room.count <= 64 else { return "the name of a room has 1 to 64 characters; shorten it" }
      let isPlain = room.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
      guard isPlain else { return "the name of a room is one line without control characters" }
    }
    if let floor, !(-100...200).contains(floor) { return "--floor is from -100 to 200; 0 is the ground floor" }
    return nil
  }
}
