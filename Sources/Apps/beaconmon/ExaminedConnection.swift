import BlueZ
import ClientCommands
import DBus
import Diagnosis
import EventLoop
import MonitorClient
import Records

/// A connection to a bus that doctor examines, with the daemon and bluetoothd on it.
final class ExaminedConnection {
  private let loop: Loop
  private let address: BusAddress
  private var connection: DBusConnection?
  private var client: MonitorClient?

  init(_ loop: Loop, _ address: BusAddress) { (self.loop, self.address) = (loop, address) }

  /// Drops the connection and its questions.
  func close() { (client, connection) = (nil, nil) }
}

extension ExaminedConnection: ExaminedBus {
  func connect(_ handler: @escaping (String?) -> Void) {
    do throws(DBusError) {
      let connection = try DBusConnection(loop: loop, address: address, persistence: .once)
      self.connection = connection
      connection.onStateChange = { state in
        switch state {
        case .connecting: break
        case .connected: handler(nil)
        case .disconnected(let reason): handler(reason.message)
        }
      }
    } catch {
      handler(error.message)
    }
  }

  func requestOwner(of name: String, _ completion: @escaping (Result<String?, ExaminationFailure>) -> Void) {
    connection?.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "GetNameOwner",
      [.string(name)], timeout: QuestionRound.patience
    ) { reply in
      switch reply {
      case .success(let values): completion(.success(values.first?.string))
      case .failure(let error): completion(error.isStandard("NameHasNoOwner") ? .success(nil) : .failure(ExaminationFailure(error)))
      }
    }
  }

  func requestProcess(of owner: String, _ completion: @escaping (UInt32?) -> Void) {
    connection?.credentials(of: owner) { completion((try? $0.get())?.processID) }
  }
}

extension ExaminedConnection: ExaminedDaemon {
  private var daemon: MonitorClient? {
    client = client ?? connection.map { MonitorClient($0) }
    return client
  }

  func checkAccess(_ completion: @escaping (ExaminationFailure?) -> Void) {
    daemon?.checkAccess { completion($0.map { ExaminationFailure($0) }) }
  }

  func requestStatus(_ completion: @escaping (Result<Record, ExaminationFailure>) -> Void) {
    daemon?.status { completion($0.mapError { ExaminationFailure($0) }) }
  }
}

extension ExaminedConnection: ExaminedBluetoothd {
  func requestAdapters(of owner: String, _ completion: @escaping (Result<[ListedAdapter], ExaminationFailure>) -> Void) {
    guard let connection else { return }
    AdapterList.read(connection, service: owner, timeout: QuestionRound.patience) { answer in
      completion(
        answer.map { adapters in
          adapters.map {
            ListedAdapter(name: $0.name, isPowered: $0.isPowered, isDiscovering: $0.isDiscovering, hasMonitors: $0.hasMonitors)
          }
        }.mapError { ExaminationFailure($0) })
    }
  }
}

extension ExaminationFailure {
  fileprivate init(_ error: DBusError) { self.init(error.message, isRefusal: error.isStandard("AccessDenied")) }
}
