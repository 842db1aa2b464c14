import EventActions
import Failures
import ProgramSupport

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
