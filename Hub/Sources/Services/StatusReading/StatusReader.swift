import Alerts
import BrokerDefinitions
import FleetStatus
import Instants
import Partitions

/// Merges the status of a fleet from its database, its broker and this machine.
///
/// Without the database there is no status. Without the broker, the database alone still answers most questions.
public struct StatusReader {
  public struct Ports {
    let connect: () throws -> any StatusStore
    let nodes: () throws -> [any StatusNode]
    let certificates: () throws -> [FleetObservation.Certificate]
    let freeSpace: (String) -> UInt64?
    let now: () -> Instant
    let report: (String) -> Void

    /// - Parameters:
    ///   - connect: opens the database; throws `SilentServer` if it does not answer
    ///   - nodes: returns the nodes of the broker; none if no broker is configured
    ///   - certificates: returns the certificates of this machine that can be read
    ///   - freeSpace: returns the free octets of the disk of a folder; nil if it cannot be examined
    ///   - report: prints a line of the log
    public init(
      connect: @escaping () throws -> any StatusStore, nodes: @escaping () throws -> [any StatusNode],
      certificates: @escaping () throws -> [FleetObservation.Certificate], freeSpace: @escaping (String) -> UInt64?,
      now: @escaping () -> Instant, report: @escaping (String) -> Void
    ) {
      (self.connect, self.nodes, self.certificates) = (connect, nodes, certificates)
      (self.freeSpace, self.now, self.report) = (freeSpace, now, report)
    }
  }

  private let ports: Ports

  public init(_ ports: Ports) { self.ports = ports }

  /// Returns the status.
  ///
  /// - Throws: `SilentServer` with the remedy if the database does not answer, and errors of the configuration. Nodes of the broker that
  ///   do not answer are reported.
  public func status() throws -> FleetStatus {
    let store = try store()
    var status = try store.status()
    if !status.hasWorker, try store.hasFullDisk() { status.observe(.database, cause: "disk") }
    let nodes = try ports.nodes()
    let now = ports.now()
    status.certificates = try ports.certificates().map { FleetStatus.Certificate(path: $0.path, end: Int64(($0.ends - now).seconds)) }
    guard !nodes.isEmpty else { return status }
    add(to: &status, from: nodes, try store.queues())
    return status
  }

  /// Adds the answers of the broker.
  ///
  /// Each question goes to the nodes in the order of the configuration, so that each call names a node that is down.
  private func add(to status: inout FleetStatus, from nodes: [any StatusNode], _ map: QueueMap) {
    var rotation = NodeRotation(startingAt: 0)
    var silent: [SilentServer] = []
    func note(_ error: SilentServer) { if !silent.contains(error) { silent.append(error) } }
    var consequence = "another node answers"
    if let backlogs = rotation.askEach(of: nodes, { node throws(SilentServer) in try node.backlogs(of: map) }, report: note) {
      for index in status.queues.indices where backlogs.indices.contains(index) { status.queues[index].backlog = backlogs[index] }
      if let alarm = rotation.askEach(of: nodes, { node throws(SilentServer) in try node.alarm() }, report: note) {
        status.observe(.broker, cause: alarm)
      } else {
        consequence = "whether the broker takes messages is unknown"
      }
    } else {
      consequence = "backlogs are unknown"
    }
    guard !silent.isEmpty else { return }
    ports.report("\(silent.map(\.description).joined(separator: "; ")); \(consequence)\(remedy("/var/lib/rabbitmq"))")
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
