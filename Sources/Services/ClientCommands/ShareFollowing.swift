public import Failures
public import ShareReports

/// The list of the shares that were offered to this device, in beaconmon-notifier.
public protocol FriendSource: AnyObject {
  /// Calls `handler` with the presence of the notifier, and after each change of shares or of the hub.
  ///
  /// The calls end when the result is released.
  func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject
  func requestFriends(_ completion: @escaping (Result<[FriendReport], Failure>) -> Void)
}

/// Follows the shares that were offered to this device, and reports each change.
public final class ShareFollowing {
  public enum Change: Hashable, Sendable {
    /// A share is new, or has other values.
    case changed(FriendReport)
    /// A share is not listed any more, or the notifier has stopped.
    case ended(FriendReport)
    /// The notifier has not answered.
    case failed(Failure)
  }

  private let source: any FriendSource
  private let onChange: (Change) -> Void
  private var watch: AnyObject?
  private var known: [FriendReport] = []

  public init(_ source: any FriendSource, onChange: @escaping (Change) -> Void) {
    (self.source, self.onChange) = (source, onChange)
    watch = source.watch { [weak self] in self?.look($0) }
  }

  private func look(_ isThere: Bool) {
    guard isThere else { return take([]) }
    source.requestFriends { [weak self] answer in
      switch answer {
      case .success(let friends): self?.take(friends)
      case .failure(let failure): self?.onChange(.failed(failure))
      }
    }
  }

  /// Reports new shares and other values in the order of the list, and then the ended shares in the order of the list before.
  private func take(_ friends: [FriendReport]) {
    let (earlier, present) = (known, Set(friends.map(\.id)))
    known = friends
    let unchanged = Set(earlier)
    for friend in friends where !unchanged.contains(friend) { onChange(.changed(friend)) }
    for friend in earlier where !present.contains(friend.id) { onChange(.ended(friend)) }
  }
}
