/// A region of the service's config, by its identifier alone.
///
/// An administrator has configured which beacons or which circle it is, and when it is left; a program that monitors it needs none of that and follows changes of
/// the config. Its state and its events are those that the config's region has for everybody. `monitoringDidFailFor` tells, once there is consent, that the config has
/// no region of this identifier. It cannot be registered.
public struct ConfiguredRegion: Region {
  public let identifier: String
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(identifier: String) {
    self.identifier = identifier
  }
}
