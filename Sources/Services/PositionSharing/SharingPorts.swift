import FleetMessages

/// The file of the users' consent.
public protocol SharingFile: AnyObject {
  /// Returns the text; nil if there is none yet.
  func read() throws -> String?
  /// Stores the text, which then survives a loss of power.
  func write(_ text: String) throws
  /// Removes the file. Returns false if it remains.
  func remove() -> Bool
}

/// The daemon, which locates this device if the user of this program may learn the location.
public protocol PositionSource: AnyObject {
  /// Locates while the returned object is held.
  ///
  /// `body` takes nil while the position is unknown, and is never called inside this call.
  ///
  /// - Parameter purpose: the reason that `beaconmon privacy` shows.
  func locate(for purpose: String, _ body: @escaping (SharedPosition?) -> Void) -> AnyObject
}
