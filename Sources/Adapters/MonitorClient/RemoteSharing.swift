import DBus
import Instants
import MonitorProtocol
import Records

/// The shares of this device's position, and those that others share with it, in beaconmon-notifier.
public struct RemoteSharing {
  let connection: DBusConnection

  /// Offers the position of this device, and completes with the id of the share.
  ///
  /// - Parameter recipients: people of the hub by their names, `role:operator`, or `device:hall`.
  public func offer(
    to recipients: [String], purpose: String, seconds: UInt32, _ completion: @escaping (Result<String, DBusError>) -> Void
  ) {
    call("Offer", [.strings(recipients), .string(purpose), .uint32(seconds)]) { completion($0.map { $0.first?.string ?? "" }) }
  }

  /// Ends a share. The device has stopped sending its position when the call completes.
  public func stop(_ id: String, _ completion: @escaping (Result<Void, DBusError>) -> Void) { act("Stop", id, completion) }

  /// Accepts an offer to this device.
  public func accept(_ id: String, _ completion: @escaping (Result<Void, DBusError>) -> Void) { act("Accept", id, completion) }

  /// Declines an offer to this device, or leaves an accepted one.
  public func decline(_ id: String, _ completion: @escaping (Result<Void, DBusError>) -> Void) { act("Decline", id, completion) }

  /// Requests the shares of this device, with the keys of Docs/dbus/Sharing.md.
  public func shares(_ completion: @escaping (Result<[Record], DBusError>) -> Void) { list("Shares", completion) }

  /// Requests the shares that were offered to this device, with the keys of Docs/dbus/Sharing.md.
  public func friends(_ completion: @escaping (Result<[Record], DBusError>) -> Void) { list("Friends", completion) }

  /// Requests the state of the connection to the hub, with the keys of Docs/dbus/Sharing.md.
  public func hub(timeout: Span = .seconds(10), _ completion: @escaping (Result<Record, DBusError>) -> Void) {
    call("Hub", timeout: timeout) { completion($0.map { $0.first.flatMap { Record($0) } ?? Record() }) }
  }

  /// Calls `handler` with the presence of beaconmon-notifier, and after each change of shares or of the hub.
  ///
  /// The calls end when the result is released.
  public func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject {
    let rule = MatchRule(sender: SharingNames.bus, interface: SharingNames.interface)
    let changes = connection.addMatch(rule) { if $0.member == SharingNames.changed { handler(true) } }
    return SharingWatch(presence: connection.watchName(SharingNames.bus) { handler($0 != nil) }, changes: changes)
  }

  private func act(_ member: String, _ id: String, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    call(member, [.string(id)]) { completion($0.map { _ in }) }
  }

  private func list(_ member: String, _ completion: @escaping (Result<[Record], DBusError>) -> Void) {
    call(member) { completion($0.map { ($0.first?.elements ?? []).compactMap { Record($0) } }) }
  }

  private func call(
    _ member: String, _ arguments: [DBusValue] = [], timeout: Span = .seconds(10),
    _ completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: SharingNames.bus, path: SharingNames.path, interface: SharingNames.interface, member: member, arguments,
      timeout: timeout, completion: completion)
  }
}

private final class SharingWatch {
  private let presence: NameWatch
  private let changes: SignalSubscription

  init(presence: NameWatch, changes: SignalSubscription) {
    (self.presence, self.changes) = (presence, changes)
  }
}

extension MonitorClient {
  public var sharing: RemoteSharing { RemoteSharing(connection: connection) }
}
