import Instants
import Orientation
import SensorRecordings

/// Writes the measurements of a source as a recording.
public final class SensorRecorder {
  private let source: any HeadingSource
  private let write: (String) -> Void
  private var begin: Instant?
  private var latest = Span.zero
  public private(set) var samples = 0

  /// Takes over the measurements of the source, which the caller starts.
  ///
  /// - Parameter write: called with whole lines.
  public init(_ source: any HeadingSource, write: @escaping (String) -> Void) {
    (self.source, self.write) = (source, write)
    source.onMeasurement = { [unowned self] in take($0, at: $1) }
  }

  private func take(_ measurement: HeadingMeasurement, at time: Instant) {
    guard let recorded = measurement.recorded else { return }
    if begin == nil {
      begin = time
      write(SensorRecordingText.line(SensorRecordingHeader(device: source.device, hasAccelerometer: source.hasAccelerometer)))
    }
    samples += 1
    // The times of two sensors may overlap a little.
    latest = max(latest, time - (begin ?? time))
    write(SensorRecordingText.line(RecordedSample(at: latest, recorded)))
  }
}
