import Records

/// The facts that the bus shows beside those of the services: about the program, and about the beacons that it sends.
public protocol DaemonStatus: AnyObject {
  var version: String { get }
  /// `time` and `reason` of the last reload of the configuration if it was refused; nil if it succeeded.
  var refusedReloadRecord: Record? { get }
  /// The beacons that this machine advertises.
  ///
  /// Each has `uuid`, `major`, `minor`, `measuredPower`, `state`, `since` and, if known, `adapter` and `note`.
  var advertisements: [Record] { get }
}
