import Consent
import Instants

/// A region that an app has registered: it outlives the session that asked for it.
public struct Registration: Hashable, Sendable {
  public var user: UInt32
  public var app: AppID
  /// The app's own.
  public var identifier: String
  public var purpose: Purpose
  /// The region as the app defined it: one line of JSON, with the keys that it has on the bus.
  public var definition: String
  /// Since the Unix epoch.
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
