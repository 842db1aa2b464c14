import Consent
import ConsentService
import DBus
import Records
import Regions
import TOML

/// Regions that outlive the sessions that registered them.
///
/// A region belongs to a user and an application id, and its identifier is unique within the app. It works while its user is
/// allowed `always`; otherwise it is kept, but delivers no events.
public protocol RegionRegistry: AnyObject {
  /// Returns the identifiers of an app's regions, in order of registration.
  func identifiers(of app: AppID, user: UInt32) -> [String]
  /// Returns the number of regions of all apps of a user.
  func count(of user: UInt32) -> Int
  /// Registers a region for a client. A region of the same identifier is replaced without an event.
  ///
  /// - Parameter definition: a definition that makes a region; see `MonitorModel.region`.
  func register(_ definition: [String: TOMLNode], as identifier: String, of app: AppID, for client: ConsentClient) throws(DBusError)
  /// Removes a region. No event of it follows, not even one of an earlier change.
  ///
  /// - Parameter identifier: the region's identifier; nil for all regions of the app.
  func unregister(_ identifier: String?, of app: AppID, user: UInt32) throws(DBusError)
  /// Returns the watch of a region; nil if it does not exist or does not work.
  func watch(_ identifier: String, of app: AppID, user: UInt32) -> RegionWatch?
  /// Returns the user and app that a registered region belongs to; nil for any other region.
  func app(of owner: RegionOwner) -> (user: UInt32, app: AppID)?
  /// Returns the journal of a user's registered regions; nil for a user without any.
  func journal(of user: UInt32) -> (any MonitorJournal)?
  /// The registered regions, each with `user`, `userName`, `appId`, `identifier`, `purpose`, `time` and `idle`.
  var registered: [Record] { get }
  /// The counts of `regions` and `apps`, and of the regions that are `idle`.
  var registrationCounts: Record { get }
}
