import DeliveryScheduling
import FleetMessages

/// A target that also brings digests and reports of the device to the hub of a fleet.
public protocol FleetTarget: ReturningTarget {
  var isConnected: Bool { get }
  /// The reason for which there is no connection, or for which messages of the hub do not arrive on it.
  ///
  /// Nil without trouble, and before the first attempt has ended.
  var trouble: String? { get }
  /// A callback from the loop when the connection begins or ends.
  var onConnectionChange: () -> Void { get set }
  /// A callback from the loop for each message of the hub.
  var onMessage: (HubMessage) -> Void { get set }
  /// Publishes a message. `completion` takes whether the broker has acknowledged it.
  ///
  /// It is called once, never from inside this call, and not at all if the target is released first. The end of the connection completes
  /// the messages on their way in their order, before `onConnectionChange`.
  func publish(_ message: FleetMessage, completion: @escaping (Bool) -> Void)
  /// Ends the pause before the next attempt to connect.
  func reconnect()
}

/// The part of a device that handles the hub's messages of a kind.
public protocol HubMessageReceiver: AnyObject {
  /// Handles the payload of a message, which may come again, and may be forged by a hostile hub.
  ///
  /// The device acknowledges the message afterwards. Throws if the message cannot be handled now, so that the hub repeats it.
  func receive(_ payload: [UInt8]) throws
}
