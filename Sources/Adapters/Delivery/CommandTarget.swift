import Deliveries
import EventActions
import EventLoop
import Glibc
import Instants
import Logging

/// Runs a program for each event, with the event on its standard input and in its environment.
///
/// It runs once, whatever it exits with, but for EX_TEMPFAIL of sysexits.h, with which it asks to be run again later.
public final class CommandTarget: DeliveryTarget {
  private static let tryAgain: Int32 = 75

  private let loop: Loop
  private let arguments: [String]
  private let timeout: Span
  private let slots: CommandSlots
  private let log: Logger
  private let ownEnvironment = ChildCommand.ownEnvironment()
  private var running: [Int64: ChildProcess] = [:]

  public init(_ loop: Loop, _ arguments: [String], timeout: Span, _ slots: CommandSlots, log: Logger) {
    self.loop = loop
    self.arguments = arguments
    self.timeout = timeout
    self.slots = slots
    self.log = log
  }

  deinit {
    for _ in running { slots.leave() }
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    slots.enter { [weak self, slots] in
      guard let self else { return slots.leave() }
      start(delivery, completion)
    }
  }

  private func start(_ delivery: Delivery, _ completion: @escaping (DeliveryOutcome) -> Void) {
    let environment = ownEnvironment.merging(delivery.event.environment.map { ($0.name, $0.value) }) { $1 }
    let command = ChildCommand(arguments, environment: environment, input: Array((delivery.json + "\n").utf8), timeout: timeout)
    do throws(SystemCallError) {
      running[delivery.id] = try ChildProcess(loop: loop, command: command) { [unowned self] result in
        // Not inside the child's own callback, which still uses it.
        loop.enqueue { [weak self] in
          self?.leave(delivery.id)
          completion(self?.outcome(of: result, delivery) ?? .delivered)
        }
      }
    } catch {
      loop.enqueue { [slots] in
        slots.leave()
        completion(.refused("cannot be started: \(error)"))
      }
    }
  }

  private func leave(_ id: Int64) {
    if running.removeValue(forKey: id) != nil { slots.leave() }
  }

  private func outcome(of result: ChildResult, _ delivery: Delivery) -> DeliveryOutcome {
    let text = result.output.text.trimmingEnd
    let output = text.isEmpty ? "" : ": \(text)"
    switch result.outcome {
    case .exited(0):
      log.info("\(arguments[0]) for \(delivery.name): done")
      return .delivered
    case .exited(Self.tryAgain): return .failed("exit code \(Self.tryAgain)\(output)")
    case .exited(let code): return .refused("exit code \(code)\(output)")
    case .signalled(let signal): return .refused("ended by signal \(signal)\(output)")
    case .timedOut: return .refused("ended after its timeout of \(timeout.text)\(output)")
    }
  }
}

extension String {
  /// Without the white space and line breaks at its end.
  fileprivate var trimmingEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}
