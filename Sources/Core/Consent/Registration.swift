import Instants

/// A region that an app has registered, which outlives the session that registered it.
public struct Registration: Hashable, Sendable {
  public var user: UInt32
  public var app: AppID
  /// The identifier, unique within the app.
  public var identifier: String
  public var purpose: Purpose
  /// The app's definition of the region: one line of JSON, with the same keys as on the bus.
  public var definition: String
  /// The time of the registration since the Unix epoch.
  public var time: Instant

  public init(user: UInt32, app: AppID, identifier: String, purpose: Purpose, definition: String, time: Instant) {
    self.user = user
    self.app = app
    self.identifier = identifier
    self.purpose = purpose
    self.definition = definition
    self.time = time
  }
}
