import EventLoop
import Instants

/// The error when a wait has timed out.
public struct Timeout: Error, CustomStringConvertible {
  public init() {}

  public var description: String { "nothing came within the time the test allows" }
}

extension Loop {
  /// Runs the loop until `start`'s argument is called, and returns the value of the call. A second call is ignored.
  public func value<Value>(within limit: Span = .seconds(20), _ start: (@escaping (Value) -> Void) throws -> Void) throws -> Value {
    var result: Value?
    try start { [unowned self] in
      if result == nil { result = $0 }
      stop()
    }
    let timer = timer { [unowned self] in stop(1) }
    timer.arm(after: limit)
    while timer.due != nil, result == nil {
      _ = try run()
    }
    guard let result else { throw Timeout() }
    return result
  }

  /// Runs the loop until `condition` holds. Checks it whenever the loop stops, and every few milliseconds.
  public func wait(within limit: Span = .seconds(20), until condition: () throws -> Bool) throws {
    let deadline = now + limit
    let look = timer { [unowned self] in stop() }
    while try !condition() {
      guard now < deadline else { throw Timeout() }
      look.arm(after: .milliseconds(2))
      _ = try run()
    }
  }

  /// Runs everything that is due within `span`.
  public func run(for span: Span) throws {
    let timer = timer { [unowned self] in stop() }
    timer.arm(after: span)
    while timer.due != nil {
      _ = try run()
    }
  }

  /// Runs a system program to its end, and returns its outcome and output.
  public func result(of arguments: [String], environment: [String: String] = ChildCommand.ownEnvironment()) throws -> ChildResult {
    let child = Holder<ChildProcess>()
    defer { child.value = nil }
    return try value { done in
      let command = ChildCommand(arguments, environment: environment, timeout: .seconds(15), outputLimit: 1 << 20)
      child.value = try ChildProcess(loop: self, command: command, completion: done)
    }
  }
}
