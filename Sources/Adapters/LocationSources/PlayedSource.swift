import EventLoop
import Instants
import LocationArbitration
import Locations
import Positioning
import Records

/// A recorded walk, or the receiver of a simulated venue.
///
/// Playback continues while the source is off, and its readings are ignored.
public final class PlayedSource: ReceiverSource {
  public let ability: SourceAbility
  var lineCounts: LineStatistics? { lines() }
  let validator: FixValidator

  private let lines: () -> LineStatistics?
  private let recording: String
  private let clock: RecordedClock
  private var hasEnded = false

  /// - Parameters:
  ///   - recording: the word for the played input, such as "scenario".
  ///   - lines: returns the counts of the lines of the recording so far; `nil` without lines.
  public init(_ loop: Loop, _ source: Location.Source, playing recording: String, lines: @escaping () -> LineStatistics?) {
    ability = SourceAbility(source, typicalAccuracy: satelliteAccuracy, cost: .none, isSatelliteReceiver: true, followsRecording: true)
    self.lines = lines
    self.recording = recording
    let clock = RecordedClock()
    self.clock = clock
    validator = FixValidator(loop, source, .played) { Receipt(recorded: clock.now) }
  }

  public func start(for accuracy: DesiredAccuracy) {
    guard !isOn else { return }
    validator.begin()
    if hasEnded { reportEnd() }
  }

  public func stop() {
    guard isOn else { return }
    validator.end()
  }

  /// Processes a report of the receiver.
  ///
  /// - Parameter now: the time on the clock of the recording.
  public func take(_ report: SourceReport, at now: Instant) {
    clock.now = now
    if isOn { validator.take(report) }
  }

  /// Call at the end of the recording.
  public func end() {
    hasEnded = true
    if isOn { reportEnd() }
  }

  private func reportEnd() {
    validator.fail(.silent, "the \(recording) has ended")
  }
}

/// The clock of a recording.
private final class RecordedClock {
  var now = Instant(microseconds: 0)
}
