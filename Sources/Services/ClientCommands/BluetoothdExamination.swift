import Diagnosis
import Instants

/// Finds out for `doctor` whether bluetoothd runs and which adapters it lists, without starting bluetoothd.
public final class BluetoothdExamination {
  /// The adapters as bluetoothd lists them; nil if it does not run.
  public private(set) var adapters: Probed<[ListedAdapter]?>
  /// The version of the installed program; nil if it is unknown.
  public var version: String? {
    get { known.version }
    set { known.version = newValue }
  }

  private let round: QuestionRound
  private let bus: any ExaminedBus
  private let bluetoothd: any ExaminedBluetoothd
  private let processes: any ExaminedProcesses
  private var known: BluetoothdFacts
  /// The reason why it is unknown whether bluetoothd runs; nil if the bus has reported it.
  private var obstacle: String? = "the system bus does not respond"

  public init(
    _ round: QuestionRound, _ bus: any ExaminedBus, _ bluetoothd: any ExaminedBluetoothd, _ processes: any ExaminedProcesses,
    isInstalled: Bool
  ) {
    (self.round, self.bus, self.bluetoothd, self.processes) = (round, bus, bluetoothd, processes)
    known = BluetoothdFacts(isRunning: false, isInstalled: isInstalled)
    adapters = .failed("the system bus does not respond")
  }

  /// The facts that are known so far.
  public var facts: Probed<BluetoothdFacts> { obstacle.map { .failed($0) } ?? .found(known) }

  /// Asks the questions of the round.
  public func begin() {
    bus.begin(round) { [unowned self] in
      fail($0)
    } onReady: { [unowned self] end in
      bus.requestOwner(of: "org.bluez") { [unowned self] owner in
        guard case .success(let owner) = owner else {
          fail("the system bus does not report whether bluetoothd runs")
          return end()
        }
        (obstacle, known.isRunning) = (nil, owner != nil)
        guard let owner else {
          adapters = .found(nil)
          return end()
        }
        ask(owner, end)
      }
    }
  }

  private func ask(_ owner: String, _ end: @escaping () -> Void) {
    adapters = .failed("no answer within \(QuestionRound.patience.text)")
    bus.requestProcess(of: owner) { [unowned self] in
      if let process = $0 { known.arguments = processes.arguments(of: process) }
    }
    bluetoothd.requestAdapters(of: owner) { [unowned self] answer in
      switch answer {
      case .success(let listed): adapters = .found(listed)
      case .failure(let failure): adapters = .failed(failure.reason)
      }
      end()
    }
  }

  private func fail(_ reason: String) { (obstacle, adapters) = (reason, .failed(reason)) }
}
