public import BeaconAdvertising
public import Failures
public import Instants
public import Proximity
public import Ranging

/// The output of the beacons of a capture.
public protocol PlayedRangingOutput: AnyObject {
  /// Whether it is a screen.
  var isScreen: Bool { get }
  /// Whether a person can still select other beacons when no more values come.
  var isInteractive: Bool { get }
  /// Whether no more output follows.
  var isDone: Bool { get }
  /// Whether any snapshot had a beacon.
  var hasShownBeacon: Bool { get }
  /// Shows the beacons of a second, nearest first; there may be none.
  func show(_ beacons: [RangedBeacon], at time: Instant)
  /// Shows a sentence; nil if the last one no longer applies.
  func note(_ text: String?)
}

/// Ranges the beacons of a capture that is played, and decides when the command ends. All times are those of the capture.
public final class PlayedRanging {
  /// The end of a capture.
  public enum CaptureEnd: Hashable, Sendable {
    case complete
    /// The file is cut off within a record, for the reason in the text; it is still a capture.
    case truncated(String)
    case failed(Failure)
  }

  /// Receives the end of the command.
  public var onEnd: (Failure?) -> Void = { _ in }
  /// Whether the capture was played to its end, and not stopped before.
  public private(set) var hasEnded = false

  private var driver: EngineDriver
  private let output: any PlayedRangingOutput
  private let patience: Span?
  private var deadline = Instant.never

  /// - Parameters:
  ///   - driver: ranges the wanted beacons.
  ///   - patience: the time that a command for one snapshot waits for a beacon; nil if it shows all.
  public init(_ driver: EngineDriver, patience: Span?, output: any PlayedRangingOutput) {
    (self.driver, self.patience, self.output) = (driver, patience, output)
  }

  /// Call with the time of the first record.
  public func begin(at time: Instant) {
    driver.start(at: time)
    if let patience { deadline = time + patience }
  }

  /// Takes all sightings up to a time, in order.
  public func take(_ sightings: [Sighting], through time: Instant) {
    show(driver.step(sightings, through: time))
    if output.isDone || time > deadline { onEnd(nil) }
  }

  /// Call when the capture has ended.
  public func noteEnd(_ end: CaptureEnd) {
    // Sightings in an incomplete last second count if there were no others.
    if patience != nil || !output.hasShownBeacon, driver.nextWake != .never { show(driver.step([], through: driver.nextWake)) }
    switch end {
    case .failed(let failure): return onEnd(failure)
    case .truncated(let reason): output.note(reason)
    case .complete: output.note(output.isScreen ? "the capture has ended" : nil)
    }
    hasEnded = true
    // On an interactive screen, the last beacons remain for its keys.
    if !output.isInteractive || !output.hasShownBeacon { onEnd(nil) }
  }

  /// Call when nothing more is played.
  public func noteFinish() {
    if !hasEnded || !output.isInteractive { onEnd(nil) }
  }

  private func show(_ outputs: [EngineDriver.Output]) {
    for case .snapshots(let snapshots, let tick) in outputs where tick <= deadline {
      let beacons = snapshots.values.flatMap(\.self)
      output.show(snapshots.count > 1 ? beacons.sorted(by: RangedBeacon.precedes) : beacons, at: tick)
    }
  }
}
