import Diagnosis
import Instants
import Records
import Status

/// Finds out for `doctor` whether the daemon runs and answers, without starting the daemon.
public final class DaemonExamination {
  /// The presence of the daemon as far as it is known.
  public private(set) var presence = DaemonFacts.Presence.noBus("the bus does not respond")
  /// The status of the daemon as received; nil without an answer.
  public private(set) var status: Record?
  /// The effective capabilities of the daemon; nil if it does not run.
  public private(set) var capabilities = Probed<UInt64?>.found(nil)

  private let round: QuestionRound
  private let bus: any ExaminedBus
  private let daemon: any ExaminedDaemon
  private let processes: any ExaminedProcesses
  private let name: String

  /// - Parameter name: the name of the daemon on the bus.
  public init(
    _ round: QuestionRound, _ bus: any ExaminedBus, _ daemon: any ExaminedDaemon, _ processes: any ExaminedProcesses, name: String
  ) {
    (self.round, self.bus, self.daemon, self.processes, self.name) = (round, bus, daemon, processes, name)
  }

  /// Returns the facts that are known so far.
  ///
  /// - Parameter hasPolicy: whether the bus has the policy that permits the daemon to own its name.
  public func facts(hasPolicy: Bool) -> DaemonFacts {
    DaemonFacts(presence, status: presence == .answering ? status.map { MonitorStatus($0) } : nil, hasPolicy: hasPolicy)
  }

  /// Asks the questions of the round.
  public func begin() {
    bus.begin(round) { [unowned self] in
      presence = .noBus($0)
    } onReady: { [unowned self] end in
      presence = .silent("no answer from the bus within \(QuestionRound.patience.text)")
      bus.requestOwner(of: name) { [unowned self] owner in
        switch owner {
        case .failure(let failure):
          presence = .silent(failure.reason)
          end()
        case .success(nil):
          presence = .absent
          end()
        case .success(let owner?):
          presence = .silent("no answer within \(QuestionRound.patience.text)")
          readCapabilities(of: owner)
          ask(end)
        }
      }
    }
  }

  private func ask(_ end: @escaping () -> Void) {
    daemon.checkAccess { [unowned self] refusal in
      if let refusal {
        presence = Self.presence(of: refusal)
        return end()
      }
      daemon.requestStatus { [unowned self] answer in
        switch answer {
        case .success(let record): (status, presence) = (record, .answering)
        case .failure(let failure): presence = Self.presence(of: failure)
        }
        end()
      }
    }
  }

  private static func presence(of failure: ExaminationFailure) -> DaemonFacts.Presence {
    failure.isRefusal ? .refused : .silent(failure.reason)
  }

  private func readCapabilities(of owner: String) {
    capabilities = .failed("the bus does not report the process of the daemon")
    let end = round.ask()
    bus.requestProcess(of: owner) { [unowned self] process in
      if let process { capabilities = processes.capabilities(of: process) }
      end()
    }
  }
}
