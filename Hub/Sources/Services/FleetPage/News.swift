public import People

/// A question for what is shown in open pages.
public struct NewsRequest: Sendable {
  /// The sites of all viewers.
  public var sites: [Int32]
  /// The logins whose persons are wanted.
  public var logins: [Login]

  public init(sites: [Int32], logins: [Login]) { (self.sites, self.logins) = (sites, logins) }
}

public struct News: Sendable {
  /// The state of a device.
  public struct Device: Hashable, Sendable {
    public var device: Int32
    public var site: Int32
    public var json: String

    public init(device: Int32, site: Int32, json: String) { (self.device, self.site, self.json) = (device, site, json) }
  }

  /// All devices of the sites.
  public var devices: [Device] = []
  /// The persons of the logins. A login that has ended has none.
  public var persons: [Login: Person] = [:]

  public init() {}
}
