import Consent
import Instants

/// Who asks, as the bus knows it and as it says itself.
public struct Claimant: Hashable, Sendable {
  public var user: UInt32
  /// Nil when it does not say.
  public var app: AppID?
  public var purpose: Purpose

  public init(user: UInt32, app: AppID?, purpose: Purpose) {
    self.user = user
    self.app = app
    self.purpose = purpose
  }
}

/// Somebody who has asked, and when last.
public struct ConsentRequest: Hashable, Sendable {
  public var claimant: Claimant
  /// Since the Unix epoch.
  public var time: Instant
}

/// A time in which somebody was told where the device is.
public struct ConsentUse: Hashable, Sendable {
  public var number: Int64
  public var claimant: Claimant
  /// Since the Unix epoch.
  public var began: Instant
  /// Nil while it lasts, and when the daemon ended before it.
  public var ended: Instant?
}
