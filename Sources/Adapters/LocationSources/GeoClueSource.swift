import DBus
import EventLoop
import Instants
import Locating
import Locations
import Positioning

/// GeoClue2, which knows Wi-Fi, cells, modems and receivers in the network.
public final class GeoClueSource: ReceiverSource {
  public let ability = SourceAbility(.geoClue, reach: Reach.wifi, cost: .low)

  private let loop: Loop
  private let bus: BusAddress
  private let environment: [String: String]
  let intake: FixIntake
  private var session: GeoClueSession?
  private var level: GeoClueLevel?
  /// What GeoClue calls this program.
  private static let desktopID = "beaconmond"
  /// A Wi-Fi that is looked up in the network takes a while.
  private static let patience = Span.seconds(30)
  /// GeoClue looks again when the Wi-Fi around it changes, and where none does never; who begins anew makes it look. Twice in the time that a fix holds.
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
    intake = FixIntake(loop, .geoClue, .onChange(Self.patience), clock: clock)
  }

  /// GeoClue takes the accuracy when a client begins, so another one is another client.
  public func start(for accuracy: DesiredAccuracy) {
    let wanted = GeoClueLevel(accuracy)
    guard wanted != level else { return }
    release()
    level = wanted
    intake.begin()
    do throws(DBusError) {
      let session = try GeoClueSession(loop, bus: bus, environment: environment, desktopID: Self.desktopID, level: wanted)
      session.onBegin = { [unowned self] in
        quiet.arm(after: pause)
        if health.state != .fixing { intake.begin() }
      }
      session.onReading = { [unowned self] in
        quiet.arm(after: pause)
        intake.take($0)
      }
      session.onTrouble = { [unowned self] in intake.fail($0.state, $0.reason ?? "it is not there") }
      self.session = session
    } catch {
      intake.fail(.gone, error.message)
    }
  }

  public func stop() {
    guard level != nil else { return }
    release()
    intake.end()
  }

  private func askAgain() {
    // What is not there, or not allowed, tries again by itself.
    guard level != nil, health.state != .gone, health.state != .denied else { return }
    quiet.arm(after: pause)
    intake.expect()
    session?.askAgain()
  }

  /// Not inside the session's own callbacks, which still use it.
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
