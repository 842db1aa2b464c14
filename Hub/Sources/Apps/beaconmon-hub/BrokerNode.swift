import Alerts
import EventLoop
import MachineFiles
import Partitions
import RabbitMQ
import StatusReading

/// A node of the broker, as the status and the alerts see it.
struct BrokerNode: StatusNode {
  let address: BrokerAddress
  let credentials: BrokerCredentials

  func backlogs(of map: QueueMap) throws(SilentServer) -> [Int] {
    do throws(BrokerError) { return try QueueInspector(address, credentials).backlogs(of: map) } catch { throw SilentServer("\(error)") }
  }

  func alarm() throws(SilentServer) -> String? {
    do throws(BrokerError) { return try AlarmProbe(address, credentials).ask() } catch { throw SilentServer("\(error)") }
  }
}

extension BrokerCredentials {
  /// Reads the certificates of the workers and of the authority, which an administrator may replace at any time.
  fileprivate func certificates() -> [FleetObservation.Certificate] {
    [certificate, authority].compactMap { path in
      LocalFiles.text(of: path).flatMap(CertificateEnd.read).map {
        FleetObservation.Certificate(machine: DeviceIdentity.hostName, path: path, ends: $0)
      }
    }
  }
}

extension BrokerOptions {
  /// Returns the nodes, at least one.
  func nodes() throws -> [BrokerNode] {
    let (addresses, credentials) = try endpoints()
    return addresses.map { BrokerNode(address: $0, credentials: credentials) }
  }

  /// Returns the certificates of this machine that can be read; none if no broker is configured.
  func machineCertificates() throws -> [FleetObservation.Certificate] {
    try areGiven() ? endpoints().credentials.certificates() : []
  }
}
