import BlueZ
import DBus
import Diagnosis
import Instants
import MachineProbes
import MonitorClient
import MonitorProtocol
import Records
import Status

// The questions to the daemon and to bluetoothd.

extension DoctorProbes {
  // MARK: - The daemon

  func askMonitor() {
    facts.daemonCapabilities = .found(nil)
    let hasPolicy = bus != .system || reader.hasBusPolicy()
    func note(_ presence: DaemonFacts.Presence, _ status: MonitorStatus? = nil) {
      facts.daemon = .found(DaemonFacts(presence, status: status, hasPolicy: hasPolicy))
    }
    note(.noBus("the bus does not respond"))
    connect(to: bus) {
      note(.noBus($0))
    } onReady: { [unowned self] connection, end in
      note(.silent("no answer from the bus within \(Self.patience.text)"))
      owner(of: MonitorNames.bus, connection) { [unowned self] owner in
        switch owner {
        case .failure(let error):
          note(.silent(error.message))
          end()
        case .success(nil):
          note(.absent)
          end()
        case .success(let owner?):
          note(.silent("no answer within \(Self.patience.text)"))
          readCapabilities(of: owner, connection)
          let client = MonitorClient(connection)
          held.append(client)
          client.checkAccess { [unowned self] refusal in
            if let refusal {
              note(refusal.isStandard("AccessDenied") ? .refused : .silent(refusal.message))
              return end()
            }
            client.status { [unowned self] answer in
              switch answer {
              case .success(let record):
                status = record
                note(.answering, MonitorStatus(record))
              case .failure(let error): note(error.isStandard("AccessDenied") ? .refused : .silent(error.message))
              }
              end()
            }
          }
        }
      }
    }
  }

  private func readCapabilities(of owner: String, _ connection: DBusConnection) {
    facts.daemonCapabilities = .failed("the bus does not report the process of the daemon")
    let end = ask()
    connection.credentials(of: owner) { [unowned self] credentials in
      defer { end() }
      guard case .success(let facts) = credentials, let process = facts.processID else { return }
      self.facts.daemonCapabilities = reader.capabilities(of: process)
    }
  }

  // MARK: - bluetoothd

  private static let programs = ["/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd"]

  func askBluetoothd() {
    let program = Self.programs.map(files.path).first { TimedProbe.exists($0) }
    bluetoothd.isInstalled = program != nil
    if let program {
      run([program, "--version"]) { [unowned self] in bluetoothd.version = $0.flatMap { MachineReader.version(in: $0.output) } }
    }
    func fail(_ reason: String) {
      facts.bluetoothd = .failed(reason)
      facts.listedAdapters = .failed(reason)
    }
    fail("the system bus does not respond")
    connect(to: .system, onFailure: fail) { [unowned self] connection, end in
      owner(of: "org.bluez", connection) { [unowned self] owner in
        guard case .success(let owner) = owner else {
          fail("the system bus does not report whether bluetoothd runs")
          return end()
        }
        bluetoothdIsKnown = true
        bluetoothd.isRunning = owner != nil
        facts.listedAdapters = owner == nil ? .found(nil) : .failed("no answer within \(Self.patience.text)")
        guard let owner else { return end() }
        connection.credentials(of: owner) { [unowned self] credentials in
          if case .success(let facts) = credentials, let process = facts.processID { bluetoothd.arguments = reader.arguments(of: process) }
        }
        AdapterList.read(connection, service: owner, timeout: Self.patience) { [unowned self] answer in
          switch answer {
          case .success(let adapters):
            facts.listedAdapters = .found(
              adapters.map {
                ListedAdapter(name: $0.name, isPowered: $0.isPowered, isDiscovering: $0.isDiscovering, hasMonitors: $0.hasMonitors)
              })
          case .failure(let error): facts.listedAdapters = .failed(error.message)
          }
          end()
        }
      }
    }
  }

  // MARK: - Buses

  /// Connects to a bus once; `onReady` takes the connection, and the function that ends the question.
  private func connect(
    to address: BusAddress, onFailure: @escaping (String) -> Void, onReady: @escaping (DBusConnection, @escaping () -> Void) -> Void
  ) {
    do throws(DBusError) {
      let connection = try DBusConnection(loop: loop, address: address, persistence: .once)
      held.append(connection)
      let end = ask(Self.patience + .seconds(3))
      var isReady = false
      connection.onStateChange = { [unowned connection] state in
        switch state {
        case .connecting: break
        case .connected:
          isReady = true
          onReady(connection, end)
        case .disconnected(let reason):
          if !isReady { onFailure(reason.message) }
          end()
        }
      }
    } catch {
      onFailure(error.message)
    }
  }

  /// Returns the owner of a name, without letting the bus start one; nil if the name has none.
  private func owner(of name: String, _ connection: DBusConnection, completion: @escaping (Result<String?, DBusError>) -> Void) {
    connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "GetNameOwner",
      [.string(name)], timeout: Self.patience
    ) { reply in
      switch reply {
      case .success(let values): completion(.success(values.first?.string))
      case .failure(let error): completion(error.isStandard("NameHasNoOwner") ? .success(nil) : .failure(error))
      }
    }
  }
}
