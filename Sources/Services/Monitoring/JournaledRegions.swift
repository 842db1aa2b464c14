import Consent
import ConsentService
import Proximity
import Regions

/// The regions whose events and states one journal stores.
///
/// They are those of the config, or those that a user's apps have registered.
final class JournaledRegions {
  /// A region of the engine, and its name in the journal.
  struct Member {
    let savedName: String
    let identifier: String
    let owner: RegionOwner
  }

  let journal: JournalService
  /// The user whose apps have registered the regions; nil for those of the config.
  let user: RegisteringUser?
  /// Whether the engine watches the regions.
  var isWatched: Bool
  /// Whether the saved states have been read; a file that has not been read is not overwritten.
  var hasRestored = false

  init(_ journal: JournalService, of user: RegisteringUser? = nil) {
    self.journal = journal
    self.user = user
    isWatched = user == nil
  }

  /// Returns a region by its identifier and its owner; nil if it is not in the set.
  func member(_ identifier: String, of owner: RegionOwner) -> Member? {
    guard let user else { return Member(savedName: identifier, identifier: identifier, owner: owner) }
    return user.regions.first { $0.identifier == identifier && user.owner(of: $0.app) == owner }
      .map { Member(savedName: $0.savedName, identifier: identifier, owner: owner) }
  }

  /// Returns all regions of the set: those of the config by name, those of a user in the order of their registration.
  func members(in engine: borrowing ProximityEngine) -> [Member] {
    guard let user else {
      return engine.watches(of: .config).map(\.region.identifier).sorted()
        .map { Member(savedName: $0, identifier: $0, owner: .config) }
    }
    return user.regions.compactMap { region in
      user.owner(of: region.app).map { Member(savedName: region.savedName, identifier: region.identifier, owner: $0) }
    }
  }
}
