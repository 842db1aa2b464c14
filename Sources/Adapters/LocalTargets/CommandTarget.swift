import DeliveryScheduling
import Diagnostics
import EventActions
import EventLoop
import Instants
import Logging
import Notification

/// Runs a program for each event, with the event on its standard input and in its environment.
///
/// The program runs once for each event, unless it exits with EX_TEMPFAIL of sysexits.h, which requests a retry.
public final class CommandTarget: DeliveryTarget {
  private static let tryAgain: Int32 = 75

  private let loop: Loop
  private let label: String
  private let timeout: Span
  private let slots: CommandSlots
  private let log: Logger
  private let runner: any CommandRunner
  private var running: [Int64: AnyObject] = [:]

  /// - Parameters:
  ///   - label: the name of the target in the log.
  ///   - timeout: the timeout of the runner.
  public init(_ loop: Loop, _ label: String, timeout: Span, by runner: any CommandRunner, _ slots: CommandSlots, log: Logger) {
    self.loop = loop
    self.label = label
    self.timeout = timeout
    self.runner = runner
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
    do throws(SystemCallError) {
      running[delivery.id] = try runner.run(delivery) { [unowned self] report in
        // Released later, because the callback of the runner still uses it.
        loop.enqueue { [weak self] in
          self?.leave(delivery.id)
          completion(self?.outcome(of: report, delivery) ?? .delivered)
        }
      }
    } catch {
      loop.enqueue { [slots, runner] in
        slots.leave()
        completion(runner.outcome(of: error))
      }
    }
  }

  private func leave(_ id: Int64) {
    if running.removeValue(forKey: id) != nil { slots.leave() }
  }

  private func outcome(of report: CommandReport, _ delivery: Delivery) -> DeliveryOutcome {
    let text = report.output.trimmingEnd
    let output = text.isEmpty ? "" : ": \(text)"
    switch report.outcome {
    case .exited(0):
      log.info("\(label) for \(delivery.name): done", metadata: .init(.commandDone, delivery))
      return .delivered
    case .exited(Self.tryAgain): return .failed("exit code \(Self.tryAgain)\(output)")
    case .exited(let code): return .refused("exit code \(code)\(output)")
    case .signalled(let signal): return .refused("ended by signal \(signal)\(output)")
    case .timedOut: return .refused("ended after its timeout of \(timeout.text)\(output)")
    case .failed(let reason): return .failed(reason)
    case .refused(let reason): return .refused(reason)
    }
  }
}

extension String {
  /// The text without white space and line breaks at its end.
  fileprivate var trimmingEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}

/// Limits the number of commands that run at once; the others wait in their order.
public final class CommandSlots {
  /// The maximum number of commands; after lowering it, running commands finish.
  public var count: Int {
    didSet { fill() }
  }

  private var running = 0
  private var waiting: [() -> Void] = []

  public init(count: Int) {
    self.count = count
  }

  /// Calls `start` when a slot is free, and occupies it until `leave`.
  func enter(_ start: @escaping () -> Void) {
    waiting.append(start)
    fill()
  }

  func leave() {
    running -= 1
    fill()
  }

  private func fill() {
    while running < count, !waiting.isEmpty {
      running += 1
      waiting.removeFirst()()
    }
  }
}
