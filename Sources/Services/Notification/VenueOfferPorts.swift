import Venues

/// The offers of the daemon's venues, and the regions that report the entry of a venue.
public protocol VenueOfferLink: AnyObject {
  /// Requests the offers of all venues, in the user's language.
  func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void)
  /// Registers the regions of exactly these venues for this user. The region of a venue has its id as its identifier.
  ///
  /// - Parameter completion: takes the result. It is never called inside this call, and not after the next one.
  func monitor(_ venues: Set<String>, completion: @escaping (VenueRegistration) -> Void)
}

/// The result of registering the regions of venues.
public enum VenueRegistration: Hashable, Sendable {
  /// The daemon has exactly these regions.
  case registered
  /// The user does not consent. The link registers the regions when consent is given while the daemon runs.
  case withheld
  /// The regions may be missing, for this reason.
  case failed(String)
}

/// The file of the user's decisions about offers, which other programs change too.
public protocol OfferHistoryFile: AnyObject {
  /// The path of the file in log lines.
  var path: String { get }
  /// Whether a damaged file was moved aside before.
  var hasMovedAside: Bool { get }

  /// Calls `body` while no other program does so. The other calls are made inside it.
  func whileLocked<Value>(_ body: () throws -> Value) throws -> Value
  /// Returns the text; nil if there is none yet.
  func read() throws -> String?
  /// Stores the text, which then survives a loss of power.
  func write(_ text: String) throws
  /// Renames the file. Returns its new path; nil if it remains.
  func moveAside() -> String?
}

/// The desktop of the user, which shows offers and launches apps.
public protocol OfferDesktop: AnyObject {
  /// Receives the id of a venue and the user's answer to its offer.
  var onAnswer: (String, OfferAnswer) -> Void { get set }
  /// Runs when a notification service appears, after there was none.
  var onReturn: () -> Void { get set }

  /// Shows an offer. `completion` is never called inside this call.
  func show(_ offer: OfferReport, completion: @escaping (OfferDisplay) -> Void)
  /// Removes the offer of a venue, if it is still shown.
  func withdraw(_ venue: String)
  /// Returns whether an app is installed. Pages always are.
  func isInstalled(_ launch: VenueLaunch) -> Bool
  /// Launches an app or a page.
  ///
  /// - Parameters:
  ///   - venue: the id of the venue, for an action of the app.
  ///   - token: lets the app take the focus; nil without one.
  ///   - completion: takes nil, or the reason for a failure. It is never called inside this call.
  func launch(_ launch: VenueLaunch, venue: String, token: String?, completion: @escaping (String?) -> Void)
}

/// The answer of the user to an offer.
public enum OfferAnswer: Hashable, Sendable {
  /// Launches the app. The token lets the app take the focus.
  case open(token: String?)
  /// Shows no offers of this venue again.
  case mute
}

/// The result of showing an offer.
public enum OfferDisplay: Hashable, Sendable {
  /// The offer is shown. Without actions the user can only read it.
  case shown(hasActions: Bool)
  /// No notification service, for this reason; one may appear.
  case absent(String)
  case refused(String)
}
