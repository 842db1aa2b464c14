import ClientCommands
import Failures
import Records
import ShareReports
import Testing

@Suite struct ShareFollowingTests {
  /// A notifier whose shares a test sets.
  private final class Source: FriendSource {
    var answer: Result<[FriendReport], Failure> = .success([])
    private(set) var requestCount = 0
    private var handler: ((Bool) -> Void)?
    private var pending: [() -> Void] = []

    func watch(_ handler: @escaping (Bool) -> Void) -> AnyObject {
      self.handler = handler
      return Watch { [weak self] in self?.handler = nil }
    }

    func requestFriends(_ completion: @escaping (Result<[FriendReport], Failure>) -> Void) {
      requestCount += 1
      pending.append { [answer] in completion(answer) }
    }

    /// Reports a change, and answers the requests that follow.
    func change(isThere: Bool = true) {
      handler?(isThere)
      while !pending.isEmpty { pending.removeFirst()() }
    }
  }

  private final class Watch {
    private let onEnd: () -> Void

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
  }

  private final class Scene {
    let source = Source()
    private(set) var changes: [ShareFollowing.Change] = []
    private var following: ShareFollowing?

    init() { following = ShareFollowing(source) { [unowned self] in changes.append($0) } }

    /// Returns the changes that these shares cause.
    func list(_ friends: [FriendReport]) -> [ShareFollowing.Change] {
      source.answer = .success(friends)
      return change()
    }

    func change(isThere: Bool = true) -> [ShareFollowing.Change] {
      let count = changes.count
      source.change(isThere: isThere)
      return Array(changes[count...])
    }

    func end() { following = nil }
  }

  private static func friend(_ id: String, room: String? = nil) throws -> FriendReport {
    try #require(FriendReport(Record(["id": .text(id), "owner": .text(id), "room": room.map { .text($0) }])))
  }

  private let scene = Scene()
  private let (ada, ben, eva): (FriendReport, FriendReport, FriendReport)

  init() throws { (ada, ben, eva) = (try Self.friend("ada"), try Self.friend("ben"), try Self.friend("eva")) }

  @Test func `a share that is new or has another place is a change, in the order of the list`() throws {
    #expect(scene.list([ada, ben]) == [.changed(ada), .changed(ben)])
    let moved = try Self.friend("ada", room: "shop")
    #expect(scene.list([eva, ben, moved]) == [.changed(eva), .changed(moved)])
    #expect(scene.list([eva, ben, moved]).isEmpty)
  }

  @Test func `a share that is not listed any more has ended, in the order of the earlier list`() {
    #expect(scene.list([eva, ada, ben]).count == 3)
    #expect(scene.list([ada]) == [.ended(eva), .ended(ben)])
    #expect(scene.list([ada]).isEmpty)
  }

  @Test func `the same shares in another order are not a change`() {
    #expect(scene.list([ada, ben]).count == 2)
    #expect(scene.list([ben, ada]).isEmpty)
  }

  @Test func `all shares end with the notifier, and are new when it is back`() {
    #expect(scene.list([ada, ben]).count == 2)
    #expect(scene.change(isThere: false) == [.ended(ada), .ended(ben)])
    #expect(scene.source.requestCount == 1, "a notifier that has stopped is not asked")
    #expect(scene.list([ada]) == [.changed(ada)])
  }

  @Test func `a notifier that is not there yet causes no change`() {
    scene.source.answer = .success([ada])
    #expect(scene.change(isThere: false).isEmpty && scene.source.requestCount == 0)
  }

  @Test func `a notifier that does not answer is a failure`() {
    let failure = Failure(.noPermission, "only root and the group beaconmon share the position of this device")
    scene.source.answer = .failure(failure)
    #expect(scene.change() == [.failed(failure)])
  }

  @Test func `no change is reported after the end`() {
    #expect(scene.list([ada]).count == 1)
    scene.end()
    #expect(scene.list([ben]).isEmpty && scene.source.requestCount == 1)
  }
}
