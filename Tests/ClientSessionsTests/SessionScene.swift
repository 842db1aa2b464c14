import Beacons
import ClientSessions
import ConfigurationTree
import Consent
import ConsentService
import Geodesy
import Instants
import LocationArbitration
import Locations
import Logging
import Positioning
import Regions
import Status
import TestSupport
import Testing

/// Sessions of users on a manual clock, with their decisions, a source of locations, and fakes of the other peers.
final class SessionScene {
  let scheduler = ManualScheduler()
  let dialog = FakeDialog()
  let consent: ConsentService
  let source = FakeSource()
  let positioning: PositioningService
  let monitoring = FakeMonitoring()
  let headings = FakeHeadings()
  let guidance = FakeGuidance()
  let departures = FakeDepartures()
  let service: SessionService

  static let alice: UInt32 = 1000

  /// A client that records its signals and the results of its calls.
  final class Client: SessionChannel {
    let session: ClientSession
    private(set) var signals: [SessionSignal] = []
    private(set) var dropped: [SessionStream] = []
    private(set) var dropCount = 0
    /// Runs after each signal, for a client that ends sessions because it does not read.
    var onSignal: (SessionSignal) -> Void = { _ in }
    private let service: SessionService

    init(_ session: ClientSession, _ service: SessionService) {
      (self.session, self.service) = (session, service)
      session.channel = self
    }

    func send(_ signal: SessionSignal) {
      signals.append(signal)
      onSignal(signal)
    }

    func drop(_ stream: SessionStream) { dropped.append(stream) }
    func dropAll() { dropCount += 1 }

    /// Returns the signals since the last call.
    func drain() -> [SessionSignal] {
      defer { signals = [] }
      return signals
    }

    /// Starts updates of the location. The number of signals before the answer is in `early`.
    @discardableResult func update(_ request: LocationRequest = LocationRequest(), locale: String? = nil) -> Call<Void> {
      let call = Call<Void>()
      service.startUpdatingLocation(request, locale: locale, in: session) { [unowned self] in
        call.early = signals.count
        call.results.append($0)
      }
      return call
    }

    /// - Parameter metres: the accuracy that ends the search; nil for the best.
    func search(within metres: Double? = nil, timeout: Span = .seconds(30)) -> Call<LocationReport> {
      let call = Call<LocationReport>()
      service.requestLocation(metres.flatMap(DesiredAccuracy.init(metres:)) ?? .best, timeout: timeout, locale: nil, in: session) {
        call.results.append($0)
      }
      return call
    }

    func permit(_ use: Use = .whenInUse) -> Call<Void> {
      let call = Call<Void>()
      service.permit(use, session) { call.results.append($0) }
      return call
    }

    func close() { service.close(session) }
  }

  /// The results of one call, of which there may be only one.
  final class Call<Value> {
    var results: [Result<Value, SessionRefusal>] = []
    var early = 0

    var refusal: SessionRefusal? {
      if results.count == 1, case .failure(let refusal) = results[0] { refusal } else { nil }
    }
    var value: Value? { results.count == 1 ? try? results[0].get() : nil }
    var isWaiting: Bool { results.isEmpty }
  }

  init(hasSource: Bool = true) {
    let log = LogLines().logger
    consent = ConsentService(scheduler, FakeConsentFile(), FakeDirectory(), dialog, ownUser: 990, rules: [], log: log)
    positioning = PositioningService(scheduler, hasSource ? [source] : [], FakeClock(scheduler), nil, log: log)
    service = SessionService(consent, monitoring, positioning, headings, guidance, departures)
    positioning.onOutput = { [unowned self] in service.locations.take($0) }
    positioning.onSourcesChange = { [unowned self] in service.sourcesChanged() }
    positioning.onHealthChange = { [unowned self] in service.locations.reportDenied() }
    guidance.onOutput = { [unowned self] in service.guidance.take($0) }
    consent.onChange = { [unowned self] in service.consentChanged() }
  }

  /// Whether each use in the log continues.
  var uses: [Bool?] { consent.uses.map(\.inUse) }

  func decide(_ authorization: Authorization?, _ user: UInt32 = alice) throws {
    try consent.decide(.user(user), authorization, by: Person(0))
  }

  func open(
    _ user: UInt32 = alice, on connection: String = ":1.1", app: String? = "org.example.Guide",
    requiring required: [RequiredCapability] = []
  ) throws -> Client {
    let claim = ConsentClient(
      busName: connection, person: Person(user), app: app.flatMap(AppID.init), purpose: try #require(Purpose("Shows the exhibit")))
    return Client(try service.open("/session", for: claim, requiring: required), service)
  }

  func fix(_ latitude: Double, accuracy: Double = 5) throws { try source.fix(latitude, accuracy: accuracy, at: scheduler.now) }

  func manual(_ latitude: Double) throws -> Location { try .at(latitude, from: .manual, scheduler.now) }

  static func definition(_ identifier: String) -> [String: ConfigurationNode] { ["identifier": ConfigurationNode(.text(identifier))] }

  @discardableResult func monitor(_ identifier: String, in client: Client) throws -> Region {
    let region = try service.region(Self.definition(identifier), in: client.session)
    try service.startMonitoring(region, in: client.session)
    return region
  }

  /// The verdict about a user whose decision is `denied`.
  func denial(_ user: UInt32 = alice) -> SessionRefusal { .unauthorized(consent.verdict(for: Person(user))) }
}

extension SessionSignal {
  var latitude: Double? {
    switch self {
    case .locationUpdated(let location), .locationRefined(let location): location.coordinate.latitude
    default: nil
    }
  }

  var authorization: Authorization? { if case .authorizationChanged(let verdict) = self { verdict.authorization } else { nil } }
}
