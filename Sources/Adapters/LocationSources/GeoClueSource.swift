import DBus
import EventLoop
import Instants
import LocationArbitration
import Locations
import Positioning

/// A location source that uses GeoClue2: Wi-Fi, cells, modems, and receivers in the network.
public final class GeoClueSource: ReceiverSource {
  public let ability = SourceAbility(.geoClue, typicalAccuracy: GeoClueSettings().typicalAccuracy, cost: .low)

  private let loop: Loop
  private let bus: BusAddress
  private let environment: [String: String]
  let validator: FixValidator
  private var session: GeoClueSession?
  private var level: GeoClueLevel?
  /// The name of this program for GeoClue.
  private static let desktopID = "beaconmond"
  /// The time limit for a first fix, which may require a request to a Wi-Fi database.
  private static let patience = Span.seconds(30)
  /// The time between two requests for a new fix.
  ///
  /// GeoClue locates again only when the Wi-Fi networks in range change. A restart of the client makes it locate, twice in the lifetime of
  /// a fix.
  static let pause = Span.seconds(120)
  private let pause: Span
  private lazy var quiet = loop.timer { [unowned self] in askAgain() }

  public convenience init(
    _ loop: Loop, bus: BusAddress = .system, environment: [String: String] = ChildCommand.ownEnvironment()
  ) {
    self.init(loop, bus: bus, environment: environment, pause: Self.pause) { .now(loop) }
  }

  init(
    _ loop: Loop, bus: BusAddress, environment: [String: String], pause: Span, clock: @escaping () -> Receipt
  ) {
    self.loop = loop
    self.bus = bus
    self.environment = environment
    self.pause = pause
    validator = FixValidator(loop, .geoClue, .onChange(Self.patience), clock: clock)
  }

  /// Starts a new client for another accuracy, because GeoClue reads the accuracy only at the start.
  public func start(for accuracy: DesiredAccuracy) {
    let wanted = GeoClueLevel(accuracy)
    guard wanted != level else { return }
    release()
    level = wanted
    validator.begin()
    do throws(DBusError) {
      let session = try GeoClueSession(loop, bus: bus, environment: environment, desktopID: Self.desktopID, level: wanted)
      session.onBegin = { [unowned self] in
        quiet.arm(after: pause)
        if health.state != .fixing { validator.begin() }
      }
      session.onReading = { [unowned self] in
        quiet.arm(after: pause)
        validator.take($0)
      }
      session.onTrouble = { [unowned self] in validator.fail($0.state, $0.reason ?? "it is unavailable") }
      self.session = session
    } catch {
      validator.fail(.gone, error.message)
    }
  }

  public func stop() {
    guard level != nil else { return }
    release()
    validator.end()
  }

  private func askAgain() {
    // An unavailable or denied service is retried elsewhere.
    guard level != nil, health.state != .gone, health.state != .denied else { return }
    quiet.arm(after: pause)
    validator.expect()
    session?.askAgain()
  }

  /// Releases the session later, because its callbacks may still use it.
  private func release() {
    level = nil
    quiet.disarm()
    guard let over = session else { return }
    session = nil
    over.onBegin = {}
    over.onReading = { _ in }
    over.onTrouble = { _ in }
    loop.enqueue { _ = over }
  }
}

extension Location.Source {
  /// GeoClue, which reports when the surrounding Wi-Fi changes; until then the device most likely stays in place.
  static let geoClue = Location.Source("geoClue", lifetime: .seconds(300), isSteady: false)
}
