import Consent
import DBus
import Records
import Regions
import TOML

/// Regions that outlive the sessions that registered them. They belong to a user and an application id, and an identifier is that app's own.
///
/// They work while their user is allowed `always`; otherwise they are kept and nothing comes of them.
public protocol RegionRegistry: AnyObject {
  /// The identifiers of an app's regions, in the order in which they came.
  func identifiers(of app: AppID, user: UInt32) -> [String]
  /// Of all apps of a user.
  func count(of user: UInt32) -> Int
  /// Keeps a region for whoever `client` is. One of the same identifier is replaced without an event.
  ///
  /// - Parameter definition: one that makes a region, see `MonitorModel.region`.
  func register(_ definition: [String: TOMLNode], as identifier: String, of app: AppID, for client: ConsentClient) throws(DBusError)
  /// Nothing more comes of it, not even what has happened already.
  ///
  /// - Parameter identifier: nil: of all of the app's regions.
  func unregister(_ identifier: String?, of app: AppID, user: UInt32) throws(DBusError)
  /// Nil when there is none, or none that works.
  func watch(_ identifier: String, of app: AppID, user: UInt32) -> RegionWatch?
  /// Whose a registered region is; nil for any other.
  func app(of owner: RegionOwner) -> (user: UInt32, app: AppID)?
  /// Where the events of a user's registered regions are; nil for a user who has none.
  func journal(of user: UInt32) -> (any MonitorJournal)?
  /// Each with `user`, `userName`, `appId`, `identifier`, `purpose`, `time` and `idle`.
  var registered: [Record] { get }
  /// How many `regions` and `apps`, and how many of the regions are `idle`.
  var registrationCounts: Record { get }
}
