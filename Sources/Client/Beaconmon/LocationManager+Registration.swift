/// Regions that outlive the program and wake it: Core Location's monitoring in the background.
///
/// `startMonitoring` is for a running program. A registered region belongs to the user and the app, and is kept when the program
/// or the service ends. Each of its events activates the app's action `RegisteredEvent.action`, which starts the app if it does
/// not run; see Docs/guides/waking-your-app.md.
extension LocationManager {
  /// Registers a region. An app can register 20.
  ///
  /// A region of the same identifier is replaced without an event, so registering the same region at each start changes nothing.
  ///
  /// Registration requires consent for `authorizedAlways`, and asks the user if there is no decision. The answer is `didRegister` or
  /// `monitoringDidFailFor`, and an element of `regionUpdates`. While the service is unavailable, the registration waits. As long as
  /// the manager lives, a denied region is registered automatically when consent is given.
  public func register(_ region: any Region) {
    guard appID != nil else { return session.report(.monitoringFailed(region, Self.noAppID)) }
    guard let region = region as? any WatchableRegion else { return session.report(.monitoringFailed(region, Self.notWatchable)) }
    guard !(region is ConfiguredRegion) else { return session.report(.monitoringFailed(region, Self.notRegistrable)) }
    session.register(region)
  }

  /// Removes a registered region; an unknown identifier is ignored. While the service is unavailable, the removal waits.
  public func unregister(_ identifier: String) {
    if appID != nil { session.unregister(identifier) }
  }

  /// Returns the identifiers of all regions that the app has registered for this user, in order of registration.
  ///
  /// The list includes regions of earlier runs. The method waits for the first contact with the service, and throws a
  /// `LocationError` if the service is unavailable or the manager has no `appID`.
  public func registeredRegionIdentifiers() async throws(LocationError) -> [String] {
    guard appID != nil else { throw Self.noAppID }
    for await status in serviceUpdates {
      switch status {
      case .connecting: continue
      case .available: return try await session.registeredRegions()
      case .away(let reason): throw reason
      }
    }
    throw LocationError(.network, "the task was cancelled")
  }

  private static let notRegistrable = LocationError(
    .regionMonitoringFailure,
    "a region of the config may change before it wakes the app; register a BeaconRegion, a CircularRegion or a PlaceRegion instead")

  private static let noAppID = LocationError(
    .regionMonitoringFailure,
    "without an appID, no app could be woken; pass the name of your desktop file to LocationManager, such as \"org.example.Guide\"")
}
