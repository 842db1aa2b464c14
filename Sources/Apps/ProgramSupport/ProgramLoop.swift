import DBus
import EventLoop
import Failures
import Glibc

/// The loop of a program, which ends with a signal or a failure.
public final class ProgramLoop {
  public let loop: Loop
  private var signals: [SignalSource] = []
  private var failure: Failure?

  public init() throws(Failure) {
    do throws(SystemCallError) {
      loop = try Loop()
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// Connects to a bus; throws if there is no address to try.
  public func connect(to address: BusAddress) throws(Failure) -> DBusConnection {
    do throws(DBusError) {
      return try DBusConnection(loop: loop, address: address)
    } catch {
      throw Failure(.unavailable, error.message)
    }
  }

  /// Runs until `end`, SIGTERM or SIGINT, and throws the failure that ended it; calls back for the other signals.
  public func run(on others: KeyValuePairs<Int32, () -> Void> = [:]) throws(Failure) {
    do throws(SystemCallError) {
      for number in [SIGTERM, SIGINT] { signals.append(try loop.signal(number) { [loop] in loop.stop() }) }
      for (number, body) in others { signals.append(try loop.signal(number, body)) }
      _ = try loop.run()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    if let failure { throw failure }
  }

  /// Runs until the answer to a question, and returns it. Throws if the answer is an error, or a signal came before it.
  ///
  /// - Parameters:
  ///   - failure: Converts the error of an answer.
  ///   - run: Runs this loop, and passes the answer to its argument.
  public func answer<Value>(
    failure: (DBusError) -> Failure, _ run: (@escaping (Result<Value, DBusError>) -> Void) throws(Failure) -> Void
  ) throws(Failure) -> Value {
    var answer: Result<Value, DBusError>?
    try run { [unowned self] in
      answer = $0
      end()
    }
    switch answer {
    case .success(let value): return value
    case .failure(let error): throw failure(error)
    case nil: throw Failure(.unavailable, "interrupted")
    }
  }

  /// Ends the loop; the first failure counts.
  public func end(_ failure: Failure? = nil) {
    self.failure = self.failure ?? failure
    loop.stop()
  }
}
