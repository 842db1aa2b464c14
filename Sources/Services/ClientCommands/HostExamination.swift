import Diagnosis
import Instants

/// Finds out for `doctor` whether the hosts of targets can be reached.
public final class HostExamination {
  /// A host of a target.
  public struct Host: Hashable, Sendable {
    /// The name of the target.
    public let label: String
    public let name: String
    public let port: Int

    public init(label: String, name: String, port: Int) { (self.label, self.name, self.port) = (label, name, port) }
  }

  /// The maximum number of hosts that are tried.
  static let most = 16

  /// The hosts that are tried.
  public private(set) var hosts: [HostFacts] = []
  /// The number of hosts that are not tried, because there are too many.
  public private(set) var untried = 0

  private let round: QuestionRound
  private let network: any ExaminedNetwork

  public init(_ round: QuestionRound, _ network: any ExaminedNetwork) { (self.round, self.network) = (round, network) }

  /// Tries all hosts as questions of the round.
  public func begin(_ all: [Host]) {
    untried = max(0, all.count - Self.most)
    for host in all.prefix(Self.most) {
      if let port = UInt16(exactly: host.port) { dial(host, port) }
    }
  }

  private func dial(_ host: Host, _ port: UInt16) {
    let index = hosts.count
    let place = "\(host.name):\(port)"
    hosts.append(HostFacts(target: host.label.contains(host.name) ? host.label : "\(host.label) at \(place)"))
    let end = round.ask { [unowned self] in hosts[index].failure = "no answer from \(place) within \(QuestionRound.patience.text)" }
    network.dial(host.name, port: port) { [unowned self] in
      if let reason = $0 { hosts[index].failure = reason }
      end()
    }
  }
}
