/// A region of the service's config, named by its identifier.
///
/// The administrator has configured its beacons or its circle, and its exit. A program needs none of these values to monitor it, and
/// follows changes of the config. All clients share the state and the events of the configured region. If the config has no region of
/// this identifier, `monitoringDidFailFor` reports that once there is consent. A configured region cannot be registered.
public struct ConfiguredRegion: Region {
  public let identifier: String
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(identifier: String) {
    self.identifier = identifier
  }
}
