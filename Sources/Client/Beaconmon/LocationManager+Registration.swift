/// Regions that outlive the program and wake it: Core Location's monitoring in the background.
///
/// `startMonitoring` is for a program that runs. A registered region is kept for the user and the app, over the ends of the program and of the service. What happens
/// there is told by activating the app's action `RegisteredEvent.action`, which starts the app where it does not run; Docs/guides/waking-your-app.md.
extension LocationManager {
  /// One of the same identifier is replaced, without an event; registering the same at each start changes nothing. 20 at most for an app.
  ///
  /// It takes consent for `authorizedAlways`, and asks where nobody has decided. Answered by `didRegister` or `monitoringDidFailFor`, and in `regionUpdates`. While
  /// the service is away it waits; what was denied is registered by itself once it is allowed, as long as the manager lives.
  public func register(_ region: any Region) {
    guard appID != nil else { return session.tell(.monitoringFailed(region, Self.noAppID)) }
    guard let region = region as? any WatchableRegion else { return session.tell(.monitoringFailed(region, Self.notWatchable)) }
    guard !(region is ConfiguredRegion) else { return session.tell(.monitoringFailed(region, Self.notRegistrable)) }
    session.register(region)
  }

  /// One that is not registered changes nothing. While the service is away it waits.
  public func unregister(_ identifier: String) {
    if appID != nil { session.unregister(identifier) }
  }

  /// The identifiers of all that the app has registered for this user, also in earlier runs, in the order in which they came. Waits for the first contact with the
  /// service, and throws a `LocationError` where it cannot be reached, or without an `appID`.
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
    "a region of the config may change before it wakes the app; register a BeaconRegion or a CircularRegion of the app's own")

  private static let noAppID = LocationError(
    .regionMonitoringFailure,
    "without an appID nobody could be woken; give LocationManager the name of your desktop file, such as \"org.example.Guide\"")
}
