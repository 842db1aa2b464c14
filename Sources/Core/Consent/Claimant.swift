import Instants

/// A client that requests consent: its user as the bus knows it, and its claims about itself.
public struct Claimant: Hashable, Sendable {
  public var user: UInt32
  /// The app; nil if the client names none.
  public var app: AppID?
  public var purpose: Purpose

  public init(user: UInt32, app: AppID?, purpose: Purpose) {
    self.user = user
    self.app = app
    self.purpose = purpose
  }
}

/// The latest request of a claimant.
public struct ConsentRequest: Hashable, Sendable {
  public var claimant: Claimant
  /// The time of the request since the Unix epoch.
  public var time: Instant

  public init(claimant: Claimant, time: Instant) {
    self.claimant = claimant
    self.time = time
  }
}

/// A period in which a claimant received locations or beacons.
public struct ConsentUse: Hashable, Sendable {
  public var number: Int64
  public var claimant: Claimant
  /// The beginning since the Unix epoch.
  public var began: Instant
  /// The end since the Unix epoch; nil while the use lasts, and if the daemon ended before it.
  public var ended: Instant?

  public init(number: Int64, claimant: Claimant, began: Instant, ended: Instant?) {
    self.number = number
    self.claimant = claimant
    self.began = began
    self.ended = ended
  }
}
