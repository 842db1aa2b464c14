import DBus
import Delivery
import EventLoop
import Failures
import Glibc
import Instants
import Logging
import MonitorBus
import MonitorConfiguration
import ProgramSupport
import Records
import SQLite

/// The wiring: events from one bus, an outbox on the disk, and couriers that bring what is in it to its targets.
final class Notifier {
  private let service: ServiceProgram
  private let client: MonitorClient
  private let mailroom: Mailroom
  private let deliverers: Deliverers
  private var events: SignalSubscription?
  private var presence: NameWatch?

  init(bus: BusAddress, desktopBus: BusAddress, configFile: ConfigurationFile, state: StateFolder) throws(Failure) {
    let configuration = try configFile.read()
    service = try ServiceProgram("beaconmon-notifier", bus: bus, configFile: configFile)
    client = MonitorClient(service.connection)
    let (loop, log) = (service.loop, service.log)
    let maker = TargetMaker(
      loop: loop, log: log, slots: CommandSlots(count: configuration.notifier.parallelCommands),
      desktop: Desktop(loop, address: desktopBus))
    mailroom = Mailroom(loop, try Self.outbox(loop, state, device: maker.device, log), log: log)
    deliverers = Deliverers(mailroom, maker)
    try deliverers.use(configuration)
  }

  /// Returns when told to end.
  func run() throws(Failure) -> ExitStatus {
    try service.run { [unowned self] in
      listen()
    } onReload: { [deliverers] configuration throws(Failure) in
      try deliverers.use(configuration)
      let count = configuration.notifier.actions.count
      return "\(count) action\(count == 1 ? "" : "s")"
    }
    let count = mailroom.waitingCount
    if count > 0 { service.log.notice("\(count) deliver\(count == 1 ? "y waits" : "ies wait")") }
    return .ok
  }

  private func listen() {
    events = client.subscribeToEvents { [deliverers] in _ = deliverers.accept([$0]) { _ in .zero } }
    presence = client.watchPresence { [deliverers, log = service.log] isThere in
      deliverers.isMonitorThere = isThere
      log.info("\(isThere ? "beaconmond is there, listening" : "beaconmond is not there, waiting for it")")
    }
    service.ready("Listening")
  }

  /// The one on disk, or, when there is no place for it or its disk fails, one that ends with the process.
  private static func outbox(_ loop: Loop, _ state: StateFolder, device: String, _ log: Logger) throws(Failure) -> Outbox {
    if let path = state.outbox {
      try state.make()
      do throws(DatabaseError) { return try Outbox(loop, path: path, device: device) } catch {
        log.error("\(error); until then what waits is lost when the notifier ends")
      }
    }
    do throws(DatabaseError) { return try Outbox(loop, path: nil, device: device) } catch { throw Failure(.osError, "\(error)") }
  }
}
