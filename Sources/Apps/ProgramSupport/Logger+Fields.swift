import BeaconAdvertising
import Beacons
import Diagnostics
import Events
import Logging

extension Logger.Metadata {
  /// The fields of a line of this kind, for the event or the adapter that it is about.
  public init(_ message: LogMessage, _ event: Event? = nil, adapter: BluetoothAddress? = nil) {
    self = message.fields(of: event, adapter: adapter?.description).mapValues { .string($0) }
  }
}
