import DBus
import EventLoop
import Failures
import MonitorClient

/// Follows the position of somebody who shares it with this device, for guidance.
final class PersonFollower {
  enum Change {
    /// The destination is another one.
    case place(GuidanceOptions.Place)
    /// The lack of a destination, with its reason.
    case waiting(String)
    case failed(Failure)
  }

  /// The distance in metres from which on a position is another destination.
  private static let step = 5.0

  private let sharing: RemoteSharing
  private let name: String
  private let body: (Change) -> Void
  private var watch: AnyObject?
  /// The share of the first answer, which this follower keeps to.
  private var id: String?
  private var place: GuidanceOptions.Place?

  init(_ sharing: RemoteSharing, _ name: String, _ body: @escaping (Change) -> Void) {
    (self.sharing, self.name, self.body) = (sharing, name, body)
    watch = sharing.watch { [weak self] isThere in self?.look(isThere) }
  }

  private func look(_ isThere: Bool) {
    guard isThere || id == nil else { return body(.waiting("beaconmon-notifier has stopped; waiting for it")) }
    sharing.friends { [weak self] answer in
      guard let self else { return }
      do throws(Failure) {
        switch answer {
        case .success(let records): try take(records.compactMap { FriendReport($0) })
        case .failure(let error): throw Failure(sharing: error)
        }
      } catch {
        body(.failed(error))
      }
    }
  }

  private func take(_ friends: [FriendReport]) throws(Failure) {
    if id == nil {
      let friend = try SharingLink.friend(named: name, among: friends)
      guard friend.isAccepted else { throw Failure(.usage, "accept the offer first: beaconmon friends accept \(name)") }
      id = friend.id
    }
    guard let friend = friends.first(where: { $0.id == id }) else {
      // After a lost connection to the hub there are no friends for a moment, so only a list with others, or the end, tells.
      return body(.waiting("\(name) does not share a position now"))
    }
    guard let new = friend.place else { return body(.waiting("the position of \(name) is unknown")) }
    guard place.map({ new.isFar(from: $0, Self.step) }) ?? true else { return }
    place = new
    body(.place(new))
  }
}

extension FriendReport {
  /// The destination for guidance; nil while the position is unknown.
  fileprivate var place: GuidanceOptions.Place? {
    if let coordinate { return .earth(latitude: coordinate.latitude, longitude: coordinate.longitude, level: level) }
    return room.map { .place($0) }
  }
}

extension GuidanceOptions.Place {
  /// Whether a destination is a number of metres away from another one, or of another kind.
  fileprivate func isFar(from other: Self, _ metres: Double) -> Bool {
    guard case .earth(let latitude, let longitude, let level) = self,
      case .earth(let otherLatitude, let otherLongitude, let otherLevel) = other
    else { return self != other }
    // A degree of latitude has 111 km, and one of longitude less.
    let distance = max(abs(latitude - otherLatitude), abs(longitude - otherLongitude)) * 111_320
    return level != otherLevel || distance >= metres
  }
}
