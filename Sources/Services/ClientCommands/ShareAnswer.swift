public import Failures
public import ShareReports
public import Status

/// The answer of the notifier about a share.
public struct ShareAnswer: Hashable, Sendable {
  /// The share; nil if the notifier does not have it.
  public var share: FollowedShare?
  /// Whether the hub has listed all shares, so that a missing one is over.
  public var isComplete: Bool
  /// The trouble with the hub; nil without one.
  public var trouble: String?

  public init(_ share: FollowedShare?, isComplete: Bool, trouble: String? = nil) {
    (self.share, self.isComplete, self.trouble) = (share, isComplete, trouble)
  }
}

extension ShareAnswer {
  /// Finds the share of an id, or else the one share of a name.
  ///
  /// Throws if the hub may have listed all shares, and there is none of the name, or several ones.
  ///
  /// - Parameter hub: nil for a notifier that does not know the state of its hub. Only its list counts then.
  public init(named name: String, id: String?, among shares: [FriendReport], hub: HubStatus?) throws(Failure) {
    self.init(nil, isComplete: hub?.hasListedShares == true, trouble: hub?.trouble)
    if let id {
      share = shares.first { $0.id == id }?.followed
    } else if hub?.hasListedShares != false {
      share = try shares.one(named: name).followed
    }
  }
}

extension FriendReport {
  /// The share as guidance follows it.
  var followed: FollowedShare {
    let place: FollowedShare.Place? =
      if let coordinate {
        .earth(latitude: coordinate.latitude, longitude: coordinate.longitude, level: level)
      } else {
        room.map { .room($0) }
      }
    return FollowedShare(id: id, isAccepted: isAccepted, place: place)
  }
}

extension Array<FriendReport> {
  /// Returns the one share of a name.
  public func one(named name: String) throws(Failure) -> Element {
    let found = filter { $0.isNamed(name) }
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      throw Failure(.usage, "there is no offer of \"\(name)\" to this device; \"beaconmon friends list\" lists the offers")
    }
    let ids = found.map(\.id).joined(separator: ", ")
    throw Failure(.usage, "\"\(name)\" has \(found.count) shares; write the beginning of an id: \(ids)")
  }
}

extension Array<OwnShareReport> {
  /// Returns the id of the one share whose id begins with a text.
  ///
  /// - Parameter beginning: nil for the only share.
  public func one(withID beginning: String?) throws(Failure) -> String {
    let found = compactMap(\.id).filter { $0.hasPrefix(beginning?.lowercased() ?? "") }
    if found.count == 1 { return found[0] }
    let problem = found.isEmpty ? "there is no such share" : "\(found.count) shares match"
    throw Failure(.usage, "\(problem); \"beaconmon share list\" lists them, and --all ends all")
  }
}
