import Motion

/// The samples that the sources of headings and of motion share.
///
/// The kernel permits one reader of a buffer, and refuses the attributes of its chip meanwhile (EBUSY). So the source of headings passes on
/// the accelerations and rotations that it reads.
public final class MachineSensors {
  /// Called with each sample of an accelerometer or a gyroscope that the source of headings reads.
  var onSample: (MotionSample) -> Void = { _ in }
  /// Called after the source of headings has stopped to read.
  var onEnd: () -> Void = {}

  public init() {}
}
