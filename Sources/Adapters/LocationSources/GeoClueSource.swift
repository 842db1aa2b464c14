import DBus
import EventLoop
import Instants
import Locating
import Locations

/// GeoClue2, which knows Wi-Fi, cells, modems and receivers in the network.
public final class GeoClueSource: LocationSource {
  public let ability = SourceAbility(.geoClue, reach: 50, cost: .low)

  private let loop: Loop
  private let bus: BusAddress
  private let environment: [String: String]
  public let intake: FixIntake
  private var session: GeoClueSession?
  private var level: GeoClueLevel?
  /// What GeoClue calls this program.
  private static let desktopID = "beaconmond"
  /// A Wi-Fi that is looked up in the network takes a while.
  private static let patience = Span.seconds(30)

  public convenience init(
    _ loop: Loop, bus: BusAddress = .system, environment: [String: String] = ChildCommand.ownEnvironment()
  ) {
    self.init(loop, bus: bus, environment: environment) { .now(loop) }
  }

  init(
    _ loop: Loop, bus: BusAddress, environment: [String: String], clock: @escaping () -> Receipt
  ) {
    self.loop = loop
    self.bus = bus
    self.environment = environment
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
      session.onBegin = { [unowned self] in if health.state != .fixing { intake.begin() } }
      session.onReading = { [unowned self] in intake.take($0) }
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

  /// Not inside the session's own callbacks, which still use it.
  private func release() {
    level = nil
    guard let over = session else { return }
    session = nil
    over.onBegin = {}
    over.onReading = { _ in }
    over.onTrouble = { _ in }
    loop.enqueue { _ = over }
  }
}
