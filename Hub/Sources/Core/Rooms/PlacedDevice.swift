/// A device of a site that has a room, with its name.
public struct PlacedDevice: Hashable, Sendable {
  public var name: String
  public var device: SiteDevice

  public init(name: String, device: SiteDevice) { (self.name, self.device) = (name, device) }
}

extension Sequence<PlacedDevice> {
  /// The rooms of the devices in alphabetical order, each once.
  public var rooms: [String] { Array(Set(map(\.device.room))).sorted() }
}
