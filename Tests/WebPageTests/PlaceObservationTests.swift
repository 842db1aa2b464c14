import Beacons
import Instants
import Locations
import Records
import TestSupport
import Testing

@testable import WebPage

/// The observation of beacons and of the location on a manual clock, with a fake daemon.
@Suite struct PlaceObservationTests {
  private final class FakeSession: PlaceSession {
    private(set) var requests: [String] = []

    func startRanging(_ constraint: BeaconConstraint) { requests.append("+\(constraint.major ?? 0)") }
    func stopRanging(_ constraint: BeaconConstraint) { requests.append("-\(constraint.major ?? 0)") }
    func startLocating(desiredAccuracy: Double, distanceFilter: Double?) {
      requests.append(desiredAccuracy == 0 && distanceFilter == nil ? "+location" : "+some locations")
    }
    func stopLocating() { requests.append("-location") }
    func takeRequests() -> [String] {
      defer { requests = [] }
      return requests
    }
  }

  private final class Watch {}

  private final class Daemon: PlaceSource {
    let session = FakeSession()
    private(set) var presence: (Bool) -> Void = { _ in }
    private(set) var venues: () -> Void = {}
    private(set) var send: (PlaceEvent) -> Void = { _ in }
    private var questions: [([BeaconConstraint]?) -> Void] = []
    private(set) var questionCount = 0

    func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject {
      presence = handler
      return Watch()
    }
    func watchVenues(_ handler: @escaping () -> Void) -> AnyObject {
      venues = handler
      return Watch()
    }
    func requestConstraints(_ completion: @escaping ([BeaconConstraint]?) -> Void) {
      questionCount += 1
      questions.append(completion)
    }
    func placeSession(_ handler: @escaping (PlaceEvent) -> Void) -> any PlaceSession {
      send = handler
      return session
    }

    /// Answers a question, by default the oldest one.
    func answer(_ majors: [UInt16]?, last: Bool = false) {
      let question = last ? questions.removeLast() : questions.removeFirst()
      question(majors?.map { PlaceObservationTests.constraint($0) })
    }
  }

  private static func constraint(_ major: UInt16) -> BeaconConstraint {
    BeaconConstraint(uuid: BeaconUUID(high: 1, low: 1), major: major)
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon = Daemon()
    var seen: [String] = []
    var observation: PlaceObservation?

    init(ranging majors: [UInt16]? = nil) {
      observation = PlaceObservation(scheduler, daemon) { [unowned self] in
        switch $0 {
        case .beacons(let record): seen.append("\(record["beacons"]?.list?.count ?? 0) beacons")
        case .located: seen.append("located")
        case .locationUnknown(let reason): seen.append(reason)
        case .denied(let reason): seen.append("denied: \(reason)")
        case .permitted: seen.append("permitted")
        }
      }
      guard let majors else { return }
      daemon.presence(true)
      daemon.answer(majors)
      _ = daemon.session.takeRequests()
    }
  }

  @Test func `the location is requested at once, and beacons when the daemon has answered`() {
    let scene = Scene()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.daemon.session.takeRequests() == ["+location"] && scene.daemon.questionCount == 0)
    scene.daemon.presence(true)
    scene.daemon.answer([1, 2])
    #expect(scene.daemon.session.takeRequests() == ["+1", "+2"])
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.daemon.questionCount == 1 && scene.daemon.session.requests.isEmpty)
  }

  @Test func `a daemon without an answer is asked again every five seconds, but not while it is away`() {
    let scene = Scene()
    scene.daemon.presence(true)
    scene.daemon.answer(nil)
    scene.scheduler.advance(by: .seconds(4))
    #expect(scene.daemon.questionCount == 1)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.daemon.questionCount == 2)
    scene.daemon.answer(nil)
    scene.daemon.presence(false)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.daemon.questionCount == 2)
    scene.daemon.presence(true)
    scene.daemon.answer([1])
    #expect(scene.daemon.session.takeRequests() == ["+location", "+1"])
  }

  @Test func `a reload stops the beacons that are gone and starts new ones`() {
    let scene = Scene(ranging: [1, 2])
    scene.daemon.venues()
    scene.daemon.answer([2, 3])
    #expect(scene.daemon.session.takeRequests() == ["-1", "+3"])
    scene.daemon.presence(false)
    scene.daemon.presence(true)
    scene.daemon.answer([2, 3])
    #expect(scene.daemon.session.requests.isEmpty, "the session repeats them by itself")
  }

  @Test func `the answer to a question before a reload is ignored`() {
    let scene = Scene(ranging: [1])
    scene.daemon.venues()
    scene.daemon.venues()
    scene.daemon.answer([3], last: true)
    scene.daemon.answer([2])
    #expect(scene.daemon.session.takeRequests() == ["-1", "+3"])
  }

  @Test func `refused requests are repeated after a minute until they are granted`() {
    let scene = Scene(ranging: [1, 2])
    scene.daemon.send(.locatingRefused("no location source is configured"))
    scene.daemon.send(.rangingRefused(Self.constraint(2)))
    scene.scheduler.advance(by: .seconds(59))
    #expect(scene.seen == ["no location source is configured"] && scene.daemon.session.requests.isEmpty)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.daemon.session.takeRequests() == ["+2", "+location"])
    scene.daemon.send(.locatingRefused("no location source is configured"))
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.daemon.session.takeRequests() == ["+location"])
  }

  @Test func `a refused beacon that a reload removes is not requested again`() {
    let scene = Scene(ranging: [1])
    scene.daemon.send(.rangingRefused(Self.constraint(1)))
    scene.daemon.venues()
    scene.daemon.answer([])
    scene.scheduler.advance(by: .seconds(120))
    #expect(scene.daemon.session.takeRequests() == ["-1"])
  }

  @Test func `a daemon that returns gets the requests from its session alone`() {
    let scene = Scene(ranging: [1])
    scene.daemon.send(.locatingRefused("no source"))
    scene.daemon.presence(false)
    scene.scheduler.advance(by: .seconds(120))
    #expect(scene.daemon.session.requests.isEmpty)
  }

  @Test func `a lack of consent is reported with its remedy, and is not repeated`() {
    let scene = Scene(ranging: [1])
    scene.daemon.send(.denied("ask an administrator"))
    scene.scheduler.advance(by: .seconds(86_400))
    #expect(scene.daemon.session.requests.isEmpty)
    scene.daemon.send(.permitted)
    #expect(
      scene.seen == ["denied: the user of beaconmon-web may not receive beacons and locations: ask an administrator", "permitted"])
  }

  @Test func `the beacons of a second are reported together, with other rounds after a reload`() {
    let scene = Scene(ranging: [1, 2])
    let snapshot = RangingSnapshot(time: Instant(microseconds: 0), beacons: [Record()])
    scene.daemon.send(.ranged(Self.constraint(1), snapshot))
    #expect(scene.seen.isEmpty)
    scene.daemon.send(.ranged(Self.constraint(2), snapshot))
    scene.daemon.venues()
    scene.daemon.answer([2])
    scene.daemon.send(.ranged(Self.constraint(2), snapshot))
    #expect(scene.seen == ["2 beacons", "1 beacons"])
  }

  @Test func `the end of the observation stops its requests, and nothing is reported afterwards`() {
    let scene = Scene(ranging: [1])
    scene.daemon.venues()
    scene.observation = nil
    #expect(scene.daemon.session.takeRequests() == ["-location", "-1"])
    scene.daemon.answer([2])
    scene.daemon.send(.located(LocationReport()))
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.seen.isEmpty && scene.daemon.session.requests.isEmpty)
  }
}
