import Failures

/// A share of a person's position with this device, as guidance follows it.
public struct FollowedShare: Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// Degrees on WGS84.
    case earth(latitude: Double, longitude: Double, level: String?)
    case room(String)
  }

  public let id: String
  /// Whether a user of this device has accepted the offer.
  public let isAccepted: Bool
  /// The newest place; nil while it is unknown.
  public let place: Place?

  public init(id: String, isAccepted: Bool, place: Place?) { (self.id, self.isAccepted, self.place) = (id, isAccepted, place) }
}

/// The shares with this device, in beaconmon-notifier.
///
/// No completion and no handler is called inside the call that takes it.
public protocol ShareLink: AnyObject {
  /// Calls `handler` with the presence of the notifier, and after each change of shares or of the hub.
  ///
  /// The calls end when the result is released.
  func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject
  /// Requests the one share of a name, or the share of an id.
  ///
  /// Fails if the hub has listed no share, or several ones, of the name.
  func request(named name: String, id: String?, _ completion: @escaping (Result<ShareAnswer, Failure>) -> Void)
}

/// Follows the position of a person who shares it with this device, for guidance.
public final class PersonFollower {
  public enum Change: Hashable, Sendable {
    /// The destination is another one.
    case moved(FollowedShare.Place)
    /// The last destination applies again.
    case resumed
    /// No destination is known at present, for this reason.
    case waiting(String)
    /// The share is over; nothing follows.
    case ended(String)
    /// The person cannot be followed; nothing follows.
    case failed(Failure)
  }

  /// The minimum distance in metres at which a position is another destination.
  private static let step = 5.0

  private let link: any ShareLink
  private let name: String
  private let onChange: (Change) -> Void
  private var watch: AnyObject?
  /// The id of the share in the first answer, which remains the one that is followed.
  private var id: String?
  private var place: FollowedShare.Place?
  private var isWaiting = false
  private var isMissing = false
  private var isOver = false

  /// - Parameter name: the owner, the tag, or the beginning of the share's id.
  public init(_ link: any ShareLink, _ name: String, onChange: @escaping (Change) -> Void) {
    (self.link, self.name, self.onChange) = (link, name, onChange)
    watch = link.watch { [weak self] in self?.look($0) }
  }

  private func look(_ isThere: Bool) {
    guard !isOver else { return }
    guard isThere || id == nil else { return wait("beaconmon-notifier has stopped; waiting for it") }
    link.request(named: name, id: id) { [weak self] in self?.take($0) }
  }

  private func take(_ answer: Result<ShareAnswer, Failure>) {
    guard !isOver else { return }
    do throws(Failure) {
      let answer = try answer.get()
      guard let share = answer.share else { return miss(answer) }
      guard id != nil || share.isAccepted else {
        throw Failure(.usage, "accept the offer first: beaconmon friends accept \(name)")
      }
      (id, isMissing) = (share.id, false)
      guard let place = share.place else { return wait("the position of \(name) is unknown") }
      follow(place)
    } catch {
      // The notifier has ended between its signal and the call.
      if id != nil, error.status == .unavailable { return wait("\(error.description); waiting for it") }
      isOver = true
      onChange(.failed(error))
    }
  }

  private func follow(_ new: FollowedShare.Place) {
    let wasWaiting = isWaiting
    isWaiting = false
    guard place.map({ new.isFar(from: $0, Self.step) }) ?? true else {
      if wasWaiting { onChange(.resumed) }
      return
    }
    place = new
    onChange(.moved(new))
  }

  private func miss(_ answer: ShareAnswer) {
    guard answer.isComplete else {
      return wait("waiting for the hub\(answer.trouble.map { ": \($0)" } ?? ", which has not listed the shares yet")")
    }
    // The state of the hub and the shares are two answers. A connection that is lost between them looks like the end.
    guard isMissing else {
      isMissing = true
      return look(true)
    }
    isOver = true
    onChange(.ended("\(name) does not share a position with this device any more"))
  }

  private func wait(_ reason: String) {
    (isWaiting, isMissing) = (true, false)
    onChange(.waiting(reason))
  }
}

extension FollowedShare.Place {
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
