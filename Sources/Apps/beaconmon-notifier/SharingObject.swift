import Consent
import DBus
import FleetMessages
import FleetReporting
import Glibc
import Instants
import Logging
import MonitorProtocol
import PositionSharing
import Records
import Sharing
import Status

/// The object on the bus for shares of positions, and for the state of the connection to the hub.
///
/// It is for root, the user of this process, and the members of its group: the same as for the events of the configured regions.
final class SharingObject {
  private let service: SharingService
  private let rollouts: RolloutService?
  private let tree: ObjectTree
  private let credentials: PeerCredentials
  private var object: ExportedObject?
  private var name: OwnedName?

  init(_ connection: DBusConnection, _ service: SharingService, _ rollouts: RolloutService?, log: Logger) throws(DBusError) {
    (self.service, self.rollouts) = (service, rollouts)
    tree = ObjectTree(connection: connection)
    credentials = PeerCredentials(connection)
    tree.identify = { [credentials] in credentials.find($0, completion: $1) }
    let insiders = Insiders(user: getuid(), group: getgid())
    tree.isInsider = { [credentials] in credentials[$0].map { insiders.contains(user: $0.userID, groups: $0.groupIDs) } ?? false }
    object = try tree.export(SharingNames.path, [interface], for: .insiders)
    // The service outlives this object when a reload removes the hub.
    service.onChange = { [weak self] in self?.announce(log) }
    name = connection.requestName(SharingNames.bus) { state in
      switch state {
      case .owned, .lost: break
      case .taken: log.warning("another beaconmon-notifier runs on this bus; \"beaconmon share\" reaches that one")
      case .refused(let error):
        log.warning(
          "the bus refuses the name \(SharingNames.bus), so positions cannot be shared: \(error.message); install its policy again and reload the bus"
        )
      }
    }
  }

  /// Notifies clients of a change.
  ///
  /// The signal has no content, because any program on the bus may receive it.
  private func announce(_ log: Logger) {
    do throws(DBusError) { try object?.emit(SharingNames.interface, SharingNames.changed) } catch {
      log.debug("a change of shares was not announced: \(error.message)")
    }
  }

  private var interface: DBusInterface {
    let id = [DBusArgument("id", "s")]
    return DBusInterface(
      SharingNames.interface,
      methods: [
        DBusMethod(
          "Offer", in: [DBusArgument("recipients", "as"), DBusArgument("purpose", "s"), DBusArgument("seconds", "u")], out: id
        ) { [unowned self] call throws(DBusError) in [.string("\(try offer(call.arguments, by: user(of: call.sender)))")] },
        DBusMethod("Stop", in: id) { [unowned self] call throws(DBusError) in
          let (id, user) = (try ShareID(argument: call.arguments[0]), try user(of: call.sender))
          try attempt { () throws(SharingError) in try service.stop(id, by: user) }
          return []
        },
        answering("Accept", isAccepted: true),
        answering("Decline", isAccepted: false),
        DBusMethod("Shares", out: [DBusArgument("shares", "aa{sv}")]) { [unowned self] _ in
          [.array(of: "a{sv}", service.shares.map(\.dbusValue))]
        },
        DBusMethod("Friends", out: [DBusArgument("friends", "aa{sv}")]) { [unowned self] _ in
          [.array(of: "a{sv}", service.friends.map(\.dbusValue))]
        },
        DBusMethod("Hub", out: [DBusArgument("hub", "a{sv}")]) { [unowned self] _ in
          var hub = service.hub
          hub.rollout = rollouts?.status
          return [hub.record.dbusValue]
        },
      ],
      signals: [DBusSignal(SharingNames.changed)])
  }

  private func answering(_ name: String, isAccepted: Bool) -> DBusMethod {
    DBusMethod(name, in: [DBusArgument("id", "s")]) { [unowned self] call throws(DBusError) in
      let (id, user) = (try ShareID(argument: call.arguments[0]), try user(of: call.sender))
      try attempt { () throws(SharingError) in try service.answer(id, isAccepted: isAccepted, by: user) }
      return []
    }
  }

  private func offer(_ arguments: [DBusValue], by user: UInt32) throws(DBusError) -> ShareID {
    let seconds = arguments[2].integer(UInt32.self) ?? 0
    return try attempt { () throws(SharingError) in
      let recipients = try ShareParty.recipients(arguments[0].strings ?? [])
      return try service.offer(to: recipients, purpose: arguments[1].string ?? "", for: .seconds(Double(seconds)), by: user)
    }
  }

  private func user(of sender: String) throws(DBusError) -> UInt32 {
    guard let user = credentials[sender]?.userID else { throw .accessDenied("the bus does not identify the caller") }
    return user
  }

  private func attempt<Value>(_ body: () throws(SharingError) -> Value) throws(DBusError) -> Value {
    do throws(SharingError) { return try body() } catch { throw .sharing(SharingErrorName(error.reason), error.message) }
  }
}

extension SharingErrorName {
  fileprivate init(_ reason: SharingError.Reason) {
    self =
      switch reason {
      case .invalid: .invalidShare
      case .tooMany: .tooManyShares
      case .unknown: .noSuchShare
      case .noHub: .noHub
      case .notStored: .notStored
      }
  }
}

extension ShareID {
  fileprivate init(argument: DBusValue) throws(DBusError) {
    guard let id = argument.string.flatMap(ShareID.init) else { throw .invalidArguments("id must be the id of a share, a UUID") }
    self = id
  }
}
