import Beacons
import DBus
import DeliveryScheduling
import EventActions
import EventLoop
import EventOutbox
import Events
import Failures
import Glibc
import Instants
import Logging
import MonitorConfiguration
import ProgramSupport
import Ranging
import Regions
import ServiceLog

/// Sends one test event directly to every target that requests it, and prints the results.
/// It bypasses the outbox and the service.
final class TestRun {
  private let program: ProgramLoop
  private let event: Event
  private let targets: [(target: Target, place: any DeliveryTarget)]
  private var open: Set<String>
  private var hasFailed = false

  init(_ request: TestRequest, _ configFile: ConfigurationFile, desktopBus: BusAddress, actionSocket: String?) throws(Failure) {
    let configuration = try configFile.read().configuration
    guard let region = configuration.regions.first(where: { $0.identifier == request.region }) else {
      throw Failure(.usage, "there is no region \"\(request.region)\" in \(configFile.path)")
    }
    event = Self.event(request.trigger, at: region)
    let names = configuration.notifier.actions.targets(for: event)
    guard !names.isEmpty else {
      throw Failure(.config, "\(configFile.path) has no action for \(request.trigger.rawValue) at \"\(request.region)\"")
    }
    program = try ProgramLoop()
    let handler = StandardErrorLog(program: "beaconmon-notifier")
    let factory = TargetFactory(
      program.loop, desktopBus: desktopBus, actionSocket: actionSocket, parallelCommands: configuration.notifier.parallelCommands,
      isTest: true, log: Logger(label: "beaconmon-notifier") { _ in handler })
    var targets: [(target: Target, place: any DeliveryTarget)] = []
    var withoutSecret: [(target: Target, error: SecretError)] = []
    for target in configuration.notifier.targets where names.contains(target.name) {
      do throws(SecretError) { targets.append((target, try factory.place(target))) } catch { withoutSecret.append((target, error)) }
    }
    self.targets = targets
    open = Set(targets.map(\.target.name))
    for (target, error) in withoutSecret { finish(target, .refused("\(error)")) }
  }

  /// Returns `ok` if every target has received the event.
  func run() throws(Failure) -> ExitStatus {
    let delivery = Delivery(
      id: 0, message: "test-\((event.time?.microseconds ?? 0))", event: event, json: event.json, isTest: true)
    for (target, place) in targets { place.deliver(delivery) { [unowned self] in finish(target, $0) } }
    if !open.isEmpty { try program.run() }
    for name in open.sorted() { say(name, "no answer yet") }
    return hasFailed || !open.isEmpty ? .unavailable : .ok
  }

  private func finish(_ target: Target, _ outcome: DeliveryOutcome) {
    switch outcome {
    case .delivered: say(target.name, "delivered")
    case .failed(let reason, _), .refused(let reason):
      say(target.name, reason)
      hasFailed = true
    }
    open.remove(target.name)
    if open.isEmpty { program.end() }
  }

  private func say(_ target: String, _ text: String) {
    Program.write("\(target): \(text)\n", to: STDOUT_FILENO)
  }

  /// Returns an event like the daemon's, except for its number, its cause and `test`.
  private static func event(_ trigger: EventAction.Trigger, at region: Region) -> Event {
    let (kind, state): (Event.Kind, RegionState) =
      switch trigger {
      case .enter: (.enter, .inside)
      case .exit: (.exit, .outside)
      case .dwell: (.dwell, .inside)
      case .cross: (.cross, .outside)
      case .state: (.state, .unknown)
      }
    var event = Event(
      sequence: 0, kind: kind, region: region.identifier, regionKind: region.kind, time: WallClock.now, state: state,
      reason: Event.Reason(.test))
    event.proximity = region.kind == .beacon ? .unknown : nil
    event.isTest = true
    return event
  }
}
