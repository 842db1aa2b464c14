public import Beacons
public import FleetMessages
public import People

/// A question to the database of the fleet. Each one states the sites that its answer may contain.
public enum FleetQuery: Hashable, Sendable {
  case sites([Int32])
  case devices(site: Int32, RowRange<String>)
  /// The tags of a site, or those that are in a room.
  case tags(site: Int32, room: String?, RowRange<Int64>)
  /// The rooms of a site with their devices and the number of tags that are there now.
  case rooms(site: Int32, RowRange<String>)
  /// The levels of the venue of a site.
  case plan(site: Int32, RowRange<Int64>)
  case tag(site: Int32, BeaconIdentity)
  case search(BeaconSearch, sites: [Int32], limit: Int)
  /// The room changes of a tag, the newest first.
  case moves(site: Int32, BeaconIdentity, RowRange<Int64>)
  /// The devices that heard a tag in the hour from a time in milliseconds since 1970 on; nil for the last hour.
  case path(site: Int32, BeaconIdentity, from: Int64?)
  /// The visits to the rooms of a site in the last 31 days.
  case visits(site: Int32, limit: Int)
  /// The events of a site, the newest first.
  case events(site: Int32, RowRange<Int64>)
  /// The people with a role at a site.
  case people(site: Int32, RowRange<String>)
  /// The changes of people, roles and names at a site, the newest first.
  case audit(site: Int32, RowRange<Int64>)
  /// The shares of a person's tags, and those that were offered to the person. The reading of an accepted one is logged.
  case shares(sites: [Int32], person: Int32)
  /// The log of shares at a site, the newest first.
  case shareLog(site: Int32, RowRange<Int64>)
}

extension FleetQuery {
  /// The tag whose history the query reads, which the audit log notes; nil for other queries.
  public var history: (site: Int32, tag: BeaconIdentity)? {
    switch self {
    case .moves(let site, let tag, _), .path(let site, let tag, _): (site, tag)
    default: nil
    }
  }
}

/// A page of rows: those beyond a key.
/// A page by its key costs the same wherever it is, and no row is skipped when others are added.
public struct RowRange<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key of the last row of the page before; nil for the first page.
  public var beyond: Key?
  public var limit: Int

  public init(beyond: Key? = nil, limit: Int) { (self.beyond, self.limit) = (beyond, limit) }
}

/// A change that a person makes in the page.
public enum FleetChange: Hashable, Sendable {
  /// Gives a tag a name; an empty one removes it.
  case nameTag(site: Int32, BeaconIdentity, name: String)
  /// Gives a person a role at a site; nil revokes it.
  case grant(site: Int32, person: String, SiteRole?)
  /// Makes a person the owner of a tag; nil ends that.
  case giveTag(site: Int32, BeaconIdentity, person: String?)
  /// Shares the room of a tag that the person owns.
  case shareTag(site: Int32, BeaconIdentity, TagShare)
  /// Accepts or declines an offer to the person.
  case answerShare(site: Int32, ShareID, isAccepted: Bool)
  /// Ends a share of the person's tag.
  case endShare(site: Int32, ShareID)
}

/// The offer of a tag's room to others.
public struct TagShare: Hashable, Sendable {
  public var recipients: [ShareParty]
  public var purpose: String
  public var seconds: Int64

  public init(recipients: [ShareParty], purpose: String, seconds: Int64) {
    (self.recipients, self.purpose, self.seconds) = (recipients, purpose, seconds)
  }
}
