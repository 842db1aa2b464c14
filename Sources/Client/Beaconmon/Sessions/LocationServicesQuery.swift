internal import DBus
internal import EventLoop
internal import MonitorClient

/// Asks once whether location services are on, over a connection that ends with the question.
final class LocationServicesQuery {
  private let connection: DBusConnection
  private var completion: ((Result<Bool, DBusError>) -> Void)?

  init(loop: Loop, address: BusAddress, completion: @escaping (Result<Bool, DBusError>) -> Void) throws(DBusError) {
    connection = try DBusConnection(loop: loop, address: address, persistence: .once)
    self.completion = completion
    connection.onStateChange = { [unowned self] in
      switch $0 {
      case .connecting: break
      case .connected: MonitorClient(connection).privacy.isEnabled { [weak self] in self?.settle($0) }
      case .disconnected(let reason): settle(.failure(reason))
      }
    }
  }

  private func settle(_ answer: Result<Bool, DBusError>) {
    completion?(answer)
    completion = nil
  }
}

extension LocationServicesQuery {
  static func ask(_ bus: Bus) async throws(LocationError) -> Bool {
    let thread: ServiceThread
    do throws(SystemCallError) { thread = try ServiceThread.current() } catch { throw LocationError(.network, "\(error)") }
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Bool, LocationError>, Never>) in
      thread.perform { room in
        room.askForSwitch(bus.address) { answer in
          // Keeps the thread until the answer.
          withExtendedLifetime(thread) {}
          continuation.resume(returning: answer.mapError { LocationError(.network, $0.message) })
        }
      }
    }
    return try answer.get()
  }
}
