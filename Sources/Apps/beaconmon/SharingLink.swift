import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorProtocol
import ProgramSupport

/// A command's connection to beaconmon-notifier, which shares positions.
final class SharingLink {
  /// The longest time until the first answer.
  private static let patience = Span.seconds(5)

  let loop: Loop
  let sharing: RemoteSharing
  private let program: ProgramLoop
  private let connection: DBusConnection
  private var timer: Timer?

  init(_ address: BusAddress) throws(Failure) {
    program = try ProgramLoop()
    loop = program.loop
    connection = try program.connect(to: address)
    sharing = MonitorClient(connection).sharing
  }

  /// Runs until `end`, Ctrl-C, or the failure to reach the bus. It calls `onReady` once, when the bus is connected.
  func run(onReady: @escaping () -> Void) throws(Failure) {
    var hasBegun = false
    connection.onStateChange = { [program] state in
      switch state {
      case .connecting: break
      case .disconnected(let reason): program.end(Failure(noBus: reason))
      case .connected:
        guard !hasBegun else { return }
        hasBegun = true
        onReady()
      }
    }
    timer = loop.timer { [program] in
      if !hasBegun { program.end(Failure(.unavailable, "the bus does not respond; select another one with --system, --session or --bus")) }
    }
    timer?.arm(after: Self.patience)
    try program.run()
  }

  func end(_ failure: Failure? = nil) { program.end(failure) }

  /// Asks once, and returns the answer.
  static func ask<Value>(
    _ bus: BusOptions, _ question: @escaping (RemoteSharing, @escaping (Result<Value, DBusError>) -> Void) -> Void
  ) throws(Failure) -> Value {
    let link = try SharingLink(bus.address)
    return try link.program.answer(failure: Failure.init(sharing:)) { (completion) throws(Failure) in
      try link.run { question(link.sharing, completion) }
    }
  }
}

extension Failure {
  /// Converts an error of a call to beaconmon-notifier.
  init(sharing error: DBusError) {
    if ["ServiceUnknown", "NameHasNoOwner"].contains(where: error.isStandard) {
      self.init(
        .unavailable,
        "beaconmon-notifier does not share positions: it does not run, or its config has no [notifier.hub]; see \"systemctl status beaconmon-notifier\""
      )
    } else if ["AccessDenied", "UnknownObject"].contains(where: error.isStandard) {
      self.init(.noPermission, "only root and the group beaconmon share the position of this device; run the command with sudo")
    } else if let reason = error.sharingError {
      self.init(reason == .notStored || reason == .tooManyShares ? .temporaryFailure : .usage, error.message)
    } else {
      self.init(.unavailable, "beaconmon-notifier does not answer: \(error.message)")
    }
  }
}
