import DBus
import EventActions
import EventLoop
import Events
import Failures
import Glibc
import Instants
import LocalTargets
import Logging
import MonitorConfiguration
import Notification
import ProgramSupport
import Regions
import ServiceLog

/// The request of `--test REGION EVENT`.
struct TestRequest {
  let region: String
  let trigger: Event.Kind

  /// Extracts the request from the arguments, because it is the only option with two values.
  static func extract(from arguments: [String]) throws(Failure) -> ([String], TestRequest?) {
    guard let index = arguments.firstIndex(of: "--test") else { return (arguments, nil) }
    guard index + 2 < arguments.count else {
      throw Failure(
        .usage,
        """
        --test needs a region and an event; see --help
        \(Flags.usage(in: BeaconmonNotifier.help))
        "beaconmon status" lists the regions; events are \(Event.Kind.triggers.map(\.rawValue).joined(separator: ", "))
        """)
    }
    guard let trigger = Event.Kind(rawValue: arguments[index + 2]), Event.Kind.triggers.contains(trigger) else {
      let names = Event.Kind.triggers.map(\.rawValue).joined(separator: ", ")
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
  private let test: TargetTest
  private var destinations: [TargetTest.Destination] = []

  init(_ request: TestRequest, _ configFile: ConfigurationFile, desktopBus: BusAddress, actionSocket: String?, isPersonal: Bool)
    throws(Failure)
  {
    let document = try configFile.read()
    let configuration = document.configuration
    guard let region = configuration.regions.first(where: { $0.identifier == request.region }) else {
      throw Failure(.usage, "there is no region \"\(request.region)\" in \(document.title)")
    }
    let event = Event.test(request.trigger, at: (region.identifier, region.kind), time: WallClock.now)
    let names =
      configuration.notifier.actions.targets(for: event)
      + configuration.notifier.targets.filter(\.means.takesEveryEvent).map(\.name)
    guard !names.isEmpty else {
      throw Failure(.config, "\(document.title) has no action for \(request.trigger.rawValue) at \"\(request.region)\"")
    }
    program = try ProgramLoop()
    test = TargetTest(event) { Program.write("\($0)\n", to: STDOUT_FILENO) }
    test.onEnd = { [program] in program.end() }
    let handler = StandardErrorLog(program: "beaconmon-notifier")
    let factory = TargetFactory(
      program.loop, desktopBus: desktopBus, actionSocket: actionSocket, parallelCommands: configuration.notifier.parallelCommands,
      isPersonal: isPersonal, isTest: true, log: Logger(label: "beaconmon-notifier") { _ in handler })
    for target in configuration.notifier.targets where names.contains(target.name) {
      do throws(SecretError) { destinations.append((target.name, try factory.prepared(target).make())) } catch {
        test.refuse(target.name, "\(error)")
      }
    }
  }

  /// Returns `ok` if every target has received the event.
  func run() throws(Failure) -> ExitStatus {
    test.send(to: destinations)
    if !test.isOver { try program.run() }
    return test.finish() ? .ok : .unavailable
  }
}
