import Diagnosis
import Instants
import Records

/// The reason why a question of `doctor` to a bus, or to a program on it, has no result.
public struct ExaminationFailure: Error, Hashable, Sendable {
  public let reason: String
  /// Whether the program, or the policy of the bus, refuses this user.
  public let isRefusal: Bool

  public init(_ reason: String, isRefusal: Bool = false) { (self.reason, self.isRefusal) = (reason, isRefusal) }
}

/// A bus that `doctor` examines over one connection.
public protocol ExaminedBus: AnyObject {
  /// Connects once.
  ///
  /// `handler` takes nil when the bus has accepted the connection, and a reason when the bus refuses the connection or it ends.
  func connect(_ handler: @escaping (String?) -> Void)
  /// Requests the owner of a name, without letting the bus start one; nil if the name has none.
  func requestOwner(of name: String, _ completion: @escaping (Result<String?, ExaminationFailure>) -> Void)
  /// Requests the number of the owner's process; nil if the bus does not report it.
  func requestProcess(of owner: String, _ completion: @escaping (UInt32?) -> Void)
}

/// The daemon on an examined bus.
public protocol ExaminedDaemon: AnyObject {
  /// Completes with nil for a user who may make requests that are reserved for root and the group beaconmon.
  func checkAccess(_ completion: @escaping (ExaminationFailure?) -> Void)
  func requestStatus(_ completion: @escaping (Result<Record, ExaminationFailure>) -> Void)
}

/// bluetoothd on an examined bus.
public protocol ExaminedBluetoothd: AnyObject {
  func requestAdapters(of owner: String, _ completion: @escaping (Result<[ListedAdapter], ExaminationFailure>) -> Void)
}

/// The processes of the machine.
public protocol ExaminedProcesses {
  /// Returns the arguments of a process; nil if they are unknown.
  func arguments(of process: UInt32) -> [String]?
  /// Returns the effective capabilities of a process, capabilities(7).
  func capabilities(of process: UInt32) -> Probed<UInt64?>
}

/// The hosts that this machine can reach.
public protocol ExaminedNetwork: AnyObject {
  /// Connects to a port, and completes with the reason if that fails.
  func dial(_ host: String, port: UInt16, _ completion: @escaping (String?) -> Void)
}

/// The wireless interfaces, as a program of the machine shows them.
public protocol ExaminedWireless: AnyObject {
  /// Requests the frequency of a connected interface in MHz; nil if it is not connected.
  func requestFrequency(of interface: String, _ completion: @escaping (Int?) -> Void)
}

extension ExaminedBus {
  /// Connects as a question of a round.
  ///
  /// - Parameters:
  ///   - onFailure: takes the reason if the bus cannot be reached, which ends the question.
  ///   - onReady: takes the function that ends the question.
  func begin(_ round: QuestionRound, onFailure: @escaping (String) -> Void, onReady: @escaping (_ end: @escaping () -> Void) -> Void) {
    let end = round.ask(QuestionRound.patience + .seconds(3))
    var isReady = false
    connect { reason in
      guard let reason else {
        isReady = true
        return onReady(end)
      }
      if !isReady { onFailure(reason) }
      end()
    }
  }
}
