import Failures
import Instants
import Locations
import Records
import TestSupport
import Testing
import Venues

@testable import ClientCommands

/// The search for the present place on a manual clock, with a fake daemon.
@Suite struct PlaceSearchTests {
  private final class Handle {}

  private final class FakeDaemon: PlaceLink {
    var plans: Result<[PlanReport], PlaceRefusal> = .success([])
    var places: Result<[PlaceReport], PlaceRefusal> = .success([])
    private(set) var requests: [String] = []
    private(set) weak var updates: Handle?
    private var handler: ((PlaceUpdate) -> Void)?
    private var located: ((LocationReport?) -> Void)?
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func requestPlans(_ completion: @escaping (Result<[PlanReport], PlaceRefusal>) -> Void) {
      scheduler.enqueue { [plans] in completion(plans) }
    }

    func follow(_ handler: @escaping (PlaceUpdate) -> Void) -> AnyObject {
      self.handler = handler
      let handle = Handle()
      updates = handle
      return handle
    }

    func locate(accuracy: Double, timeout: Span, _ completion: @escaping (LocationReport?) -> Void) -> AnyObject {
      requests.append("locate \(accuracy)")
      located = completion
      return Handle()
    }

    func requestPlaces(near point: PlacePoint, limit: Int, _ completion: @escaping (Result<[PlaceReport], PlaceRefusal>) -> Void) {
      requests.append("places \(point.venue) \(point.level ?? "")")
      scheduler.enqueue { [places] in completion(places) }
    }

    func send(_ update: PlaceUpdate) {
      handler?(update)
      scheduler.settle()
    }

    func answer(_ location: LocationReport?) {
      located?(location)
      scheduler.settle()
    }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon: FakeDaemon
    let search: PlaceSearch
    var positions: [PlacedPosition] = []
    var notes: [String] = []
    var ends: [Failure?] = []

    init(venues: [String] = ["gallery"], isEndless: Bool = false) {
      daemon = FakeDaemon(scheduler)
      daemon.plans = .success(
        venues.map { id in
          var plan = PlanReport()
          (plan.venue, plan.venueName) = (id, "The \(id)")
          return plan
        })
      search = PlaceSearch(scheduler, daemon, timeout: .seconds(10), isEndless: isEndless)
      search.onPosition = { [unowned self] in positions.append($0) }
      search.onNote = { [unowned self] in notes.append($0) }
      search.onEnd = { [unowned self] in ends.append($0) }
    }

    func start() {
      search.start()
      scheduler.settle()
    }
  }

  private static let indoor = location("gallery", level: "ground", description: "Hall, Gallery")

  private static func location(_ venue: String? = nil, level: String? = nil, description: String? = nil) -> LocationReport {
    var location = LocationReport()
    (location.latitude, location.longitude, location.horizontalAccuracy) = (48, 11, 4)
    (location.venue, location.level, location.description) = (venue, level, description)
    return location
  }

  private static func refusal(_ cause: PlaceRefusal.Cause = .other) -> PlaceRefusal {
    PlaceRefusal(cause, "message", Failure(cause == .noPermission ? .noPermission : .unavailable, "refused"))
  }

  @Test func `the first position on a level ends the search, with the places next to it`() {
    let scene = Scene()
    var place = PlaceReport()
    place.id = "lily"
    scene.daemon.places = .success([place])
    scene.start()
    scene.daemon.send(.located(Self.location(description: "Main Street")))
    #expect(scene.positions.isEmpty)
    scene.daemon.send(.located(Self.indoor))
    scene.daemon.send(.located(Self.indoor))
    #expect(scene.positions == [PlacedPosition(location: Self.indoor, nearest: [place])])
    #expect(scene.daemon.requests.first == "places gallery ground" && scene.ends.first == .some(nil))
    #expect(scene.positions[0].record["nearest"] != nil)
  }

  @Test func `an endless search shows each position, or the reason why there is none`() {
    let scene = Scene(isEndless: true)
    scene.start()
    scene.daemon.send(.located(Self.location()))
    scene.daemon.send(.unknown("no fix"))
    scene.daemon.send(.located(Self.indoor))
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.positions.map(\.location) == [Self.location(), Self.indoor] && scene.notes == ["no fix"] && scene.ends.isEmpty)
  }

  @Test func `without a position in time the search gives up with the last reason`() throws {
    let scene = Scene(venues: ["gallery", "shop"])
    scene.start()
    scene.daemon.send(.unknown("gpsd is gone"))
    scene.scheduler.advance(by: .milliseconds(9999))
    #expect(scene.ends.isEmpty && scene.notes.isEmpty)
    scene.scheduler.advance(by: .milliseconds(1))
    let failure = Failure(.temporaryFailure, "this device is in no known venue (\"The gallery\", \"The shop\"): gpsd is gone")
    #expect(scene.ends == [failure])
    let silent = Scene()
    silent.start()
    silent.scheduler.advance(by: .seconds(10))
    #expect("\(try #require(silent.ends.first ?? nil))".hasSuffix("no source has a fix; see \"beaconmon status\""))
  }

  @Test func `a device outside of the venues is at the address of its location, or in no known venue`() {
    for address in ["Main Street", nil] {
      let scene = Scene()
      scene.start()
      scene.daemon.send(.located(Self.location()))
      scene.scheduler.advance(by: .seconds(10))
      #expect(scene.daemon.requests == ["locate \(4 * 1.001)"] && scene.ends.isEmpty)
      scene.daemon.answer(Self.location(description: address))
      #expect(scene.positions.map(\.location.description) == (address == nil ? [] : [address]))
      #expect(scene.ends.first??.description.hasSuffix("its location is outside of them") == (address == nil ? true : nil))
    }
  }

  @Test func `a last location with a name needs no search for its address`() {
    let scene = Scene()
    scene.start()
    scene.daemon.send(.located(Self.location(description: "home")))
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.daemon.requests.isEmpty && scene.positions.map(\.location.description) == ["home"] && scene.ends == [nil])
  }

  @Test func `without a venue the address is requested once, and its lack ends the search`() {
    let scene = Scene(venues: [])
    scene.start()
    for _ in 0..<3 { scene.daemon.send(.located(Self.location())) }
    #expect(scene.daemon.requests.count == 1)
    scene.daemon.answer(nil)
    #expect(scene.ends == [PlaceSearch.noVenue])
  }

  @Test func `a refusal without a venue is the lack of venues, unless the user lacks a permission`() {
    for (cause, isEmpty, end) in [
      (PlaceRefusal.Cause.other, true, PlaceSearch.noVenue), (.noPermission, true, Failure(.noPermission, "refused")),
      (.other, false, Failure(.unavailable, "refused")),
    ] {
      let scene = Scene(venues: isEmpty ? [] : ["gallery"])
      scene.start()
      scene.daemon.send(.refused(Self.refusal(cause)))
      #expect(scene.ends == [end])
    }
    let scene = Scene()
    scene.daemon.plans = .failure(Self.refusal())
    scene.start()
    #expect(scene.ends == [Failure(.unavailable, "refused")] && scene.daemon.updates == nil)
  }

  @Test func `a venue that a reload has removed leaves the position without places`() {
    let scene = Scene()
    scene.daemon.places = .failure(Self.refusal(.noSuchVenue))
    scene.start()
    scene.daemon.send(.located(Self.indoor))
    #expect(scene.positions == [PlacedPosition(location: Self.indoor, nearest: [])] && scene.ends == [nil])
  }

  @Test func `places that are refused end the search, and an endless one continues`() {
    for isEndless in [false, true] {
      let scene = Scene(isEndless: isEndless)
      scene.daemon.places = .failure(Self.refusal())
      scene.start()
      scene.daemon.send(.located(Self.indoor))
      #expect(scene.ends == (isEndless ? [] : [Failure(.unavailable, "refused")]))
      #expect(scene.notes == (isEndless ? ["the nearest places are unknown: message"] : []))
    }
  }

  @Test func `the end of the search releases its requests`() {
    let scene = Scene()
    scene.start()
    #expect(scene.daemon.updates != nil)
    scene.search.end()
    #expect(scene.daemon.updates == nil)
  }
}
