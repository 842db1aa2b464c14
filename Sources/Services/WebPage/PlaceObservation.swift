public import Beacons
import Instants
public import Locations
import Records
public import Scheduling

/// The daemon as an observation of beacons and of the location sees it.
public protocol PlaceSource: AnyObject {
  /// Reports whether the daemon is on the bus, and each change, while the result is held.
  func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject
  /// Reports changes of the venues while the result is held.
  func watchVenues(_ handler: @escaping () -> Void) -> AnyObject
  /// Requests the beacons of the configuration and the venues; nil if the daemon does not answer.
  func requestConstraints(_ completion: @escaping ([BeaconConstraint]?) -> Void)
  /// Returns the session, whose events go to `handler` from now on. `handler` is never called inside this call.
  func placeSession(_ handler: @escaping (PlaceEvent) -> Void) -> any PlaceSession
}

/// A session that ranges beacons and locates the device; it repeats its requests whenever the daemon returns.
public protocol PlaceSession: AnyObject {
  /// Starts ranging, or repeats a request that was refused.
  func startRanging(_ constraint: BeaconConstraint)
  func stopRanging(_ constraint: BeaconConstraint)
  /// Starts locating, or repeats a request that was refused.
  ///
  /// - Parameters:
  ///   - desiredAccuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - distanceFilter: the distance in metres below which a location is not reported again; nil for every location.
  func startLocating(desiredAccuracy: Double, distanceFilter: Double?)
  func stopLocating()
}

/// An event of a session that ranges beacons and locates the device.
public enum PlaceEvent {
  /// The daemon has granted a request.
  case permitted
  /// The user does not consent, for this reason with its remedy. The session repeats its requests after a consent.
  case denied(String)
  case ranged(BeaconConstraint, RangingSnapshot)
  case located(LocationReport)
  /// No source knows the location, for this reason.
  case locationUnknown(String)
  /// The daemon refuses to range for a reason that may be temporary.
  case rangingRefused(BeaconConstraint)
  /// The daemon refuses to locate, for a reason that may be temporary.
  case locatingRefused(String)
}

/// Observes the beacons of the configuration and the location of the device while it is held.
public final class PlaceObservation {
  /// The interval of requests for the beacons while the daemon does not answer.
  static let pause = Span.seconds(5)
  /// The time until a refused request is repeated.
  static let longPause = Span.seconds(60)

  private let scheduler: any Scheduler
  private let source: any PlaceSource
  private let handler: (LiveObservation) -> Void
  private var session: (any PlaceSession)?
  private var watches: [AnyObject] = []
  private var isPresent = false
  private var constraints: [BeaconConstraint] = []
  private var rounds = SnapshotRounds([])
  /// Drops the answer to an earlier question, which a reload may overtake.
  private let answers = StaleAnswerFilter()
  private var refused: Set<BeaconConstraint> = []
  private var isLocatingRefused = false
  private lazy var questionTimer = scheduler.timer { [unowned self] in askConstraints() }
  private lazy var refusalTimer = scheduler.timer { [unowned self] in repeatRefused() }

  public init(_ scheduler: any Scheduler, _ source: any PlaceSource, _ handler: @escaping (LiveObservation) -> Void) {
    (self.scheduler, self.source, self.handler) = (scheduler, source, handler)
    session = source.placeSession { [weak self] in self?.take($0) }
    startLocating()
    watches = [
      source.watchPresence { [unowned self] in presenceChanged($0) },
      // A reload may change the beacons, too.
      source.watchVenues { [unowned self] in askConstraints() },
    ]
  }

  deinit {
    session?.stopLocating()
    for constraint in constraints { session?.stopRanging(constraint) }
  }

  /// Requests every fix at the best accuracy.
  private func startLocating() { session?.startLocating(desiredAccuracy: 0, distanceFilter: nil) }

  private func presenceChanged(_ isPresent: Bool) {
    self.isPresent = isPresent
    (refused, isLocatingRefused) = ([], false)
    refusalTimer.arm(at: .never)
    askConstraints()
  }

  private func askConstraints() {
    answers.renew()
    questionTimer.arm(at: .never)
    guard isPresent else { return }
    source.requestConstraints(
      answers.current { [weak self] found in
        guard let self else { return }
        if let found { range(found) } else { questionTimer.arm(at: scheduler.now + Self.pause) }
      })
  }

  private func range(_ new: [BeaconConstraint]) {
    guard new != constraints else { return }
    for constraint in constraints where !new.contains(constraint) { session?.stopRanging(constraint) }
    for constraint in new where !constraints.contains(constraint) { session?.startRanging(constraint) }
    (constraints, rounds) = (new, SnapshotRounds(new))
    refused.formIntersection(new)
  }

  private func repeatRefused() {
    for constraint in constraints where refused.contains(constraint) { session?.startRanging(constraint) }
    if isLocatingRefused { startLocating() }
    (refused, isLocatingRefused) = ([], false)
  }

  private func take(_ event: PlaceEvent) {
    switch event {
    case .permitted: handler(.permitted)
    case .denied(let reason): handler(.denied("the user of beaconmon-web may not receive beacons and locations: \(reason)"))
    case .ranged(let constraint, let snapshot):
      for round in rounds.take(snapshot, of: constraint) { handler(.beacons(round.record)) }
    case .located(let location): handler(.located(location))
    case .locationUnknown(let reason): handler(.locationUnknown(reason))
    case .rangingRefused(let constraint):
      refused.insert(constraint)
      tryAgainLater()
    case .locatingRefused(let reason):
      isLocatingRefused = true
      tryAgainLater()
      handler(.locationUnknown(reason))
    }
  }

  private func tryAgainLater() {
    if refusalTimer.due == nil { refusalTimer.arm(at: scheduler.now + Self.longPause) }
  }
}
