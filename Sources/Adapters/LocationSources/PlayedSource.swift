import EventLoop
import Instants
import Locating
import Locations
import Positioning
import Records

/// A walk that is played, or the receiver of a simulated venue. It plays whether it is on or not, as time goes on; what it says while it is off goes nowhere.
public final class PlayedSource: ReceiverSource {
  public let ability: SourceAbility
  var lineCounts: Record? { lines() }
  let intake: FixIntake

  private let lines: () -> Record?
  private let clock: RecordedClock
  private var isOn = false
  private var hasEnded = false

  /// - Parameters:
  ///   - source: `.capture` or `.simulator`.
  ///   - lines: what became of the recording's lines so far; nil when it has none.
  public init(_ loop: Loop, _ source: Location.Source, lines: @escaping () -> Record?) {
    ability = SourceAbility(source, reach: Reach.satellites, cost: .none)
    self.lines = lines
    let clock = RecordedClock()
    self.clock = clock
    intake = FixIntake(loop, source, .played) { Receipt(recorded: clock.now) }
  }

  public func start(for accuracy: DesiredAccuracy) {
    guard !isOn else { return }
    isOn = true
    intake.begin()
    if hasEnded { tellEnd() }
  }

  public func stop() {
    guard isOn else { return }
    isOn = false
    intake.end()
  }

  /// The receiver says this now.
  ///
  /// - Parameter now: on the recording's clock.
  public func take(_ report: SourceReport, at now: Instant) {
    clock.now = now
    if isOn { intake.take(report) }
  }

  /// It says nothing more.
  public func end() {
    hasEnded = true
    if isOn { tellEnd() }
  }

  private func tellEnd() {
    intake.fail(.silent, ability.source == .simulator ? "the scenario is over" : "the recording is over")
  }
}

/// How far a recording has been played.
private final class RecordedClock {
  var now = Instant(microseconds: 0)
}
