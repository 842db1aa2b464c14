import Consent

/// A client as it appears in a request for consent.
public struct ConsentClient: Hashable, Sendable {
  /// The client's unique name on the bus.
  public var busName: String
  public var person: Person
  /// The app that the client claims to be; nil if it names no app.
  public var app: AppID?
  /// The purpose that the client claims.
  public var purpose: Purpose

  public init(busName: String, person: Person, app: AppID?, purpose: Purpose) {
    self.busName = busName
    self.person = person
    self.app = app
    self.purpose = purpose
  }

  var claimant: Claimant { Claimant(user: person.number, app: app, purpose: purpose) }
}
