import BeaconAdvertising
import Instants
import Motion

/// The motion of the device from a time of a capture on.
///
/// A capture has it as a note, such as `beaconmon motion: walking cadence=1.85 turn=-3`, between the packets.
public struct RecordedMotion: Hashable, Sendable {
  private static let prefix = "beaconmon motion: "

  public let motion: DeviceMotion
  public let time: Instant

  public init(_ motion: DeviceMotion, at time: Instant) {
    (self.motion, self.time) = (motion, time)
  }

  /// Returns the motion of a note; nil for a note of something else.
  public init?(_ note: CaptureNote) {
    guard note.text.hasPrefix(Self.prefix), let motion = DeviceMotion(text: note.text.dropFirst(Self.prefix.count)) else { return nil }
    self.init(motion, at: note.time)
  }

  /// The text of the note.
  public var text: String { Self.prefix + motion.text }
}
