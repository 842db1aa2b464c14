public import Headings
import Motion

/// The properties and the samples that the sources of headings and of motion share.
///
/// The kernel permits one reader of a buffer, and refuses the attributes of its chip meanwhile (EBUSY). So the source of headings passes on
/// the accelerations and rotations that it reads.
public final class MachineSensors {
  /// The sign of the accelerometers of this machine, for readings that begin from now on.
  public var accelerationSign: AccelerationSign
  /// Receives each sample of an accelerometer or a gyroscope that the source of headings reads.
  var onSample: (MotionSample) -> Void = { _ in }
  /// Runs after the source of headings has stopped to read.
  var onEnd: () -> Void = {}

  public init(accelerationSign: AccelerationSign = .auto) {
    self.accelerationSign = accelerationSign
  }
}
