import Failures
import Testing

@testable import ClientCommands

@Suite struct PersonFollowerTests {
  /// A notifier whose answers a test gives.
  private final class FakeLink: ShareLink {
    var answer: Result<ShareAnswer, Failure> = .success(ShareAnswer(nil, isComplete: false))
    /// The answer after the next one, if it is another one.
    var laterAnswer: Result<ShareAnswer, Failure>?
    private(set) var requests: [String?] = []
    private var handler: ((Bool) -> Void)?
    private var pending: [() -> Void] = []

    func watch(_ handler: @escaping (Bool) -> Void) -> AnyObject {
      self.handler = handler
      return self
    }

    func request(named name: String, id: String?, _ completion: @escaping (Result<ShareAnswer, Failure>) -> Void) {
      requests.append(id)
      pending.append { [answer] in completion(answer) }
      if let laterAnswer { (answer, self.laterAnswer) = (laterAnswer, nil) }
    }

    /// Reports changes, and answers the requests that follow.
    func change(isThere: Bool = true, times: Int = 1) {
      for _ in 0..<times { handler?(isThere) }
      while !pending.isEmpty { pending.removeFirst()() }
    }
  }

  private final class Scene {
    let link = FakeLink()
    private(set) var changes: [PersonFollower.Change] = []
    private var follower: PersonFollower?

    init() { follower = PersonFollower(link, "ada") { [unowned self] in changes.append($0) } }

    /// The owner is this far north of the start, in metres.
    func share(at metres: Double?, isAccepted: Bool = true) {
      let place = metres.map { FollowedShare.Place.earth(latitude: 52 + $0 / 111_320, longitude: 13, level: "ground") }
      link.answer = .success(ShareAnswer(FollowedShare(id: "6f0c", isAccepted: isAccepted, place: place), isComplete: true))
      link.change()
    }

    func miss(isComplete: Bool, _ trouble: String? = nil) {
      link.answer = .success(ShareAnswer(nil, isComplete: isComplete, trouble: trouble))
      link.change()
    }

    /// The latitudes of the destinations, in metres north of the start.
    var destinations: [Double] {
      changes.compactMap {
        guard case .moved(.earth(let latitude, _, _)) = $0 else { return nil }
        return ((latitude - 52) * 111_320).rounded()
      }
    }
  }

  @Test func `a person who moves six metres is another destination, and one who moves four is not`() {
    let scene = Scene()
    scene.share(at: 0)
    scene.share(at: 4)
    #expect(scene.destinations == [0])
    scene.share(at: 6)
    #expect(scene.destinations == [0, 6] && scene.changes.count == 2)
  }

  @Test func `guidance ends when the hub lists the shares without this one`() {
    let scene = Scene()
    scene.share(at: 0)
    scene.miss(isComplete: true)
    #expect(scene.changes.last == .ended("ada does not share a position with this device any more"))
    let count = scene.changes.count
    scene.share(at: 50)
    #expect(scene.changes.count == count, "nothing follows")
    #expect(scene.link.requests == [nil, "6f0c", "6f0c"])
  }

  @Test func `a lost connection to the hub is not an end, and the same place applies again`() {
    let scene = Scene()
    scene.share(at: 0)
    scene.miss(isComplete: false, "the broker has ended the connection")
    #expect(scene.changes.last == .waiting("waiting for the hub: the broker has ended the connection"))
    scene.miss(isComplete: false)
    #expect(scene.changes.last == .waiting("waiting for the hub, which has not listed the shares yet"))
    scene.share(at: 1)
    #expect(scene.changes.last == .resumed && scene.destinations == [0])
  }

  @Test func `a connection that is lost between the two answers is not an end`() {
    let scene = Scene()
    scene.share(at: 0)
    scene.link.laterAnswer = .success(ShareAnswer(nil, isComplete: false))
    scene.miss(isComplete: true)
    #expect(scene.changes.last == .waiting("waiting for the hub, which has not listed the shares yet"))
    scene.miss(isComplete: true)
    #expect(scene.changes.last == .ended("ada does not share a position with this device any more"))
  }

  @Test func `guidance waits for a notifier that restarts, even if it ends during a call`() {
    let scene = Scene()
    scene.share(at: 0)
    scene.link.answer = .failure(Failure(.unavailable, "beaconmon-notifier does not answer"))
    scene.link.change()
    #expect(scene.changes.last == .waiting("beaconmon-notifier does not answer; waiting for it"))
    scene.link.change(isThere: false)
    #expect(scene.changes.last == .waiting("beaconmon-notifier has stopped; waiting for it"))
    scene.miss(isComplete: false)
    scene.share(at: 8)
    #expect(scene.destinations == [0, 8])
  }

  @Test func `a person who cannot be followed is an error`() {
    let scene = Scene()
    scene.share(at: 0, isAccepted: false)
    #expect(scene.changes == [.failed(Failure(.usage, "accept the offer first: beaconmon friends accept ada"))])
    let absent = Scene()
    absent.link.answer = .failure(Failure(.unavailable, "beaconmon-notifier does not share positions"))
    absent.link.change(isThere: false)
    #expect(absent.changes == [.failed(Failure(.unavailable, "beaconmon-notifier does not share positions"))])
  }

  @Test func `an answer after the end is ignored`() {
    let scene = Scene()
    scene.link.answer = .failure(Failure(.usage, "there is no offer of \"ada\" to this device"))
    scene.link.change(times: 2)
    #expect(scene.link.requests.count == 2 && scene.changes.count == 1)
  }

  @Test func `a person without a known position has no destination yet`() {
    let scene = Scene()
    scene.share(at: nil)
    #expect(scene.changes == [.waiting("the position of ada is unknown")])
    scene.share(at: 3)
    #expect(scene.destinations == [3])
  }
}
