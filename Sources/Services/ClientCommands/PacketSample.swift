public import BeaconAdvertising
public import Failures
public import Instants
public import Scheduling

/// The sightings in the packets that the daemon receives during some seconds.
public final class PacketSample {
  /// Requests the packets; `noteStart` follows when the daemon has accepted.
  public var onRequest: () -> Void = {}
  /// Receives the end, with the reason why the sample could not begin.
  public var onEnd: (Failure?) -> Void = { _ in }
  /// The sightings so far.
  public private(set) var sightings: [Sighting] = []
  /// Whether the time has passed, so that the sample is complete.
  public private(set) var isComplete = false

  private let scheduler: any Scheduler
  private let duration: Span
  private let hearing: HearingCheck
  private var hasStarted = false
  /// Whether the daemon has ended the packets before the time has passed.
  private var isCutOff = false
  private var end: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler, duration: Span) {
    (self.scheduler, self.duration) = (scheduler, duration)
    hearing = HearingCheck(scheduler)
    end = scheduler.timer { [unowned self] in
      isComplete = true
      onEnd(nil)
    }
  }

  /// Requests the packets if the daemon can receive beacons.
  public func begin(_ ask: @escaping HearingCheck.Question) {
    hearing.begin(ask) { [unowned self] obstacle in
      if let obstacle { onEnd(Failure(.unavailable, obstacle)) } else { onRequest() }
    }
  }

  /// Call when the daemon has accepted the request.
  public func noteStart() {
    hasStarted = true
    end?.arm(at: scheduler.now + duration)
  }

  public func take(_ heard: [Sighting]) { sightings += heard }

  /// Call when the daemon has ended its packets.
  public func noteEnd() {
    isCutOff = hasStarted && !isComplete
    onEnd(nil)
  }

  /// Returns the failure at the end of the command; nil if the sample is complete or was interrupted.
  ///
  /// - Parameter reason: of the daemon for the end of its packets; nil if they were cut off.
  public func failure(reason: String?) -> Failure? {
    guard isCutOff else { return nil }
    return Failure(.unavailable, "beaconmond has ended the recording\(reason.map { ": \($0)" } ?? ""); start it again")
  }
}
