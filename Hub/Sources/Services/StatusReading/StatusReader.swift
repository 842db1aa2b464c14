import Alerts
import FleetStatus
import Instants

/// Merges the status of a fleet from its database, its broker and this machine.
///
/// Without the database there is no status. Without the broker, the database alone still answers most questions.
public struct StatusReader {
  public struct Ports {
    let connect: () throws -> any StatusStore
    let broker: () throws -> (any StatusBroker)?
    let freeSpace: (String) -> UInt64?
    let now: () -> Instant
    let report: (String) -> Void

    /// - Parameters:
    ///   - connect: opens the database; throws `SilentServer` if it does not answer
    ///   - broker: returns the broker; nil if none is configured
    ///   - freeSpace: returns the free octets of the disk of a folder; nil if it cannot be examined
    ///   - report: prints a line of the log
    public init(
      connect: @escaping () throws -> any StatusStore, broker: @escaping () throws -> (any StatusBroker)?,
      freeSpace: @escaping (String) -> UInt64?, now: @escaping () -> Instant, report: @escaping (String) -> Void
    ) {
      (self.connect, self.broker, self.freeSpace, self.now, self.report) = (connect, broker, freeSpace, now, report)
    }
  }

  private let ports: Ports

  public init(_ ports: Ports) { self.ports = ports }

  /// Returns the status.
  ///
  /// - Throws: `SilentServer` with the remedy if the database does not answer, and errors of the configuration. An error of the broker is
  ///   reported.
  public func status() throws -> FleetStatus {
    let store = try store()
    var status = try store.status()
    if !status.hasWorker, try store.hasFullDisk() { status.observe(.database, cause: "disk") }
    guard let broker = try ports.broker() else { return status }
    let now = ports.now()
    status.certificates = broker.certificates().map { FleetStatus.Certificate(path: $0.path, end: Int64(($0.ends - now).seconds)) }
    let map = try store.queues()
    do throws(SilentServer) {
      let backlogs = try broker.backlogs(of: map)
      for index in status.queues.indices where backlogs.indices.contains(index) { status.queues[index].backlog = backlogs[index] }
      status.observe(.broker, cause: try broker.alarm())
    } catch {
      ports.report("\(error); backlogs are unknown\(remedy("/var/lib/rabbitmq"))")
    }
    return status
  }

  private func store() throws -> any StatusStore {
    do { return try ports.connect() } catch let error as SilentServer {
      let remedy = error.isOfFullDisk ? "; \(FleetStatus.Outage.fullDatabase.text)" : remedy("/var/lib/postgresql")
      throw SilentServer("\(error)\(remedy)")
    }
  }

  /// Returns what to do about a full disk of a server's folder on this machine; empty if it is not full.
  private func remedy(_ folder: String) -> String {
    ServerFolder(folder, free: ports.freeSpace(folder)).remedy.map { "; \($0)" } ?? ""
  }
}
