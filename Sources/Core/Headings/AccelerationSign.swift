/// The sign with which an accelerometer reports the axis that points up, after its mount matrix.
public enum AccelerationSign: String, CaseIterable, Sendable {
  /// Negative for sensor hubs and for mount matrices of ACPI, and positive for all others.
  case auto
  /// A device that lies face up reports +9.8 m/s² for z, as the kernel requires.
  case positive
  /// A device that lies face up reports -9.8 m/s² for z, as Windows requires.
  case negative
}
