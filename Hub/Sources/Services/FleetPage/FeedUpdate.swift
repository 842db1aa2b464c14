public import People

/// A query for the changes that open pages show.
public struct FeedRequest: Sendable {
  /// The sites of all viewers.
  public var sites: [Int32]
  /// The number of the room change beyond which to read; nil asks for no changes.
  public var beyond: Int64?
  /// The logins whose persons are wanted.
  public var logins: [Login]

  public init(sites: [Int32], beyond: Int64?, logins: [Login]) { (self.sites, self.beyond, self.logins) = (sites, beyond, logins) }
}

/// The changes that open pages show, and the persons who see them.
public struct FeedUpdate: Sendable {
  /// The state of a device.
  public struct Device: Hashable, Sendable {
    public var device: Int32
    public var site: Int32
    public var json: String

    public init(device: Int32, site: Int32, json: String) { (self.device, self.site, self.json) = (device, site, json) }
  }

  /// A beacon's change of room.
  public struct Move: Hashable, Sendable {
    public var number: Int64
    public var site: Int32
    public var json: String

    public init(number: Int64, site: Int32, json: String) { (self.number, self.site, self.json) = (number, site, json) }
  }

  /// The highest number of a room change at any site; that of the last one of `moves` if more follow.
  public var highest: Int64 = 0
  public var moves: [Move] = []
  /// All devices of the sites.
  public var devices: [Device] = []
  /// The persons of the logins. A login that has ended has none.
  public var persons: [Login: Person] = [:]
  /// A digest of the shares that each person may see, with their places. A person without any has none.
  public var shares: [Int32: String] = [:]

  public init() {}
}
