import Failures
import Instants
import Scheduling

/// Decides when a program that follows headings asks again, waits or ends, and reports whether a calibration is needed.
///
/// A device without a source of headings ends the program. Once a daemon has had a source, a later daemon may still look for it.
public final class HeadingWatch {
  /// Requests headings again.
  public var onRequest: () -> Void = {}
  /// Receives a sentence for the user.
  public var onNote: (String) -> Void = { _ in }
  public var onEnd: (Failure) -> Void = { _ in }

  private let scheduler: any Scheduler
  private var hasBegun = false
  /// Whether the user was informed that the present daemon has no source.
  private var isWaiting = false
  /// Whether the user was informed that the compass needs a calibration.
  private var needsCalibration = false
  private var backoff = Backoff(from: .seconds(1), to: .seconds(30))
  private var retry: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    retry = scheduler.timer { [unowned self] in onRequest() }
  }

  /// Call when a daemon has accepted the request.
  public func noteBegin() {
    (hasBegun, isWaiting) = (true, false)
    backoff.reset()
  }

  /// Call when the daemon has gone; the next one gets the request without a wait.
  public func noteAbsence() {
    (isWaiting, needsCalibration) = (false, false)
    retry?.arm(at: .never)
  }

  /// Call with each status of the calibration, for a user who sees no picture of it.
  public func noteCalibration(isNeeded: Bool) {
    guard isNeeded != needsCalibration else { return }
    needsCalibration = isNeeded
    onNote(isNeeded ? "the compass needs a calibration; turn the device in all directions" : "the compass is calibrated")
  }

  /// Call when a daemon has refused the request.
  ///
  /// - Parameter isLackOfSource: whether the daemon has no source of headings at present.
  public func noteRefusal(_ failure: Failure, isLackOfSource: Bool) {
    guard hasBegun, isLackOfSource else { return onEnd(failure) }
    if !isWaiting { onNote("\(failure.description); waiting for it") }
    isWaiting = true
    retry?.arm(at: scheduler.now + backoff.next())
  }
}
