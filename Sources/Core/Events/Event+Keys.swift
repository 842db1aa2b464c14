extension Event {
  /// The keys by which the database of a fleet's hub finds the kind and the beacon of an event, as `fields` states them.
  public enum Keys {
    public static let kind = Event.key(of: \.kind)
    public static let beacon = Event.key(of: \.beacon)
    public static let uuid = Event.Beacon.key(of: \.uuid)
    public static let major = Event.Beacon.key(of: \.major)
    public static let minor = Event.Beacon.key(of: \.minor)
  }
}

extension EventPart {
  /// Returns the key of a property, which must be in `fields`.
  static func key(of path: PartialKeyPath<Self>) -> String {
    guard let field = fields.first(where: { ($0.path as PartialKeyPath<Self>) == path }) else {
      preconditionFailure("\(Self.self) has no field for \(path)")
    }
    return field.key
  }
}
