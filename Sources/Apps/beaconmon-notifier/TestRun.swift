import DBus
import DeliveryScheduling
import EventActions
import EventLoop
import Events
import Failures
import Glibc
import Instants
import LocalTargets
import Logging
import MonitorConfiguration
import ProgramSupport
import Regions
import ServiceLog

/// The request of `--test REGION EVENT`.
struct TestRequest {
  let region: String
  let trigger: EventAction.Trigger

  /// Extracts the request from the arguments, because it is the only option with two values.
  static func extract(from arguments: [String]) throws(Failure) -> ([String], TestRequest?) {
    guard let index = arguments.firstIndex(of: "--test") else { return (arguments, nil) }
    guard index + 2 < arguments.count else {
      throw Failure(
        .usage,
        """
        --test needs a region and an event; see --help
        \(Flags.usage(in: BeaconmonNotifier.help))
        "beaconmon status" lists the regions; events are \(EventAction.Trigger.allCases.map(\.rawValue).joined(separator: ", "))
        """)
    }
    guard let trigger = EventAction.Trigger(rawValue: arguments[index + 2]) else {
      let names = EventAction.Trigger.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "\"\(arguments[index + 2])\" is not an event; use one of \(names)")
    }
    let rest = Array(arguments[..<index] + arguments[(index + 3)...])
    return (rest, TestRequest(region: arguments[index + 1], trigger: trigger))
  }
}

/// Sends one test event directly to every target that requests it, and prints the results.
/// It bypasses the outbox and the service.
final class TestRun {
  private let program: ProgramLoop
  private let event: Event
  private let targets: [(target: Target, destination: any DeliveryTarget)]
  private var open: Set<String>
  private var hasFailed = false

  init(_ request: TestRequest, _ configFile: ConfigurationFile, desktopBus: BusAddress, actionSocket: String?, isPersonal: Bool)
    throws(Failure)
  {
    let document = try configFile.read()
    let configuration = document.configuration
    guard let region = configuration.regions.first(where: { $0.identifier == request.region }) else {
      throw Failure(.usage, "there is no region \"\(request.region)\" in \(document.title)")
    }
    event = Event.test(request.trigger, at: (region.identifier, region.kind), time: WallClock.now)
    let names =
      configuration.notifier.actions.targets(for: event)
      + configuration.notifier.targets.filter(\.means.takesEveryEvent).map(\.name)
    guard !names.isEmpty else {
      throw Failure(.config, "\(document.title) has no action for \(request.trigger.rawValue) at \"\(request.region)\"")
    }
    program = try ProgramLoop()
    let handler = StandardErrorLog(program: "beaconmon-notifier")
    let factory = TargetFactory(
      program.loop, desktopBus: desktopBus, actionSocket: actionSocket, parallelCommands: configuration.notifier.parallelCommands,
      isPersonal: isPersonal, isTest: true, log: Logger(label: "beaconmon-notifier") { _ in handler })
    var targets: [(target: Target, destination: any DeliveryTarget)] = []
    var withoutSecret: [(target: Target, error: SecretError)] = []
    for target in configuration.notifier.targets where names.contains(target.name) {
      do throws(SecretError) { targets.append((target, try factory.destination(target))) } catch { withoutSecret.append((target, error)) }
    }
    self.targets = targets
    open = Set(targets.map(\.target.name))
    for (target, error) in withoutSecret { finish(target, .refused("\(error)")) }
  }

  /// Returns `ok` if every target has received the event.
  func run() throws(Failure) -> ExitStatus {
    let delivery = Delivery(
      id: 0, message: "test-\((event.time?.microseconds ?? 0))", event: event, json: event.json, isTest: true)
    for (target, destination) in targets { destination.deliver(delivery) { [unowned self] in finish(target, $0) } }
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
}
