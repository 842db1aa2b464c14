import BeaconAdvertising
import Beacons
import Failures
import Instants
import Scheduling
import Surveys

/// A survey of what the daemon receives, packet by packet, across its restarts.
public final class SurveyWalk {
  /// The time after which the report is computed again.
  static let pause = Span.seconds(1)

  /// Receives the report of the walk so far, from the first packets on; nil if nothing shows it.
  public var onReport: ((SurveyReport) -> Void)?
  /// Receives a sentence for the user; nil if the last one no longer applies.
  public var onNote: (String?) -> Void = { _ in }
  /// Receives the end of the walk, with a reason or after its time.
  public var onEnd: (Failure?) -> Void = { _ in }
  public private(set) var survey: Survey

  private let scheduler: any Scheduler
  private let packets: PacketFollower
  private let rssiOffset: Double
  private var roster: AdapterRoster
  /// The place at which the receiver stands; nil while it walks.
  private var standing: SurveyPlace?
  private var timer: (any SchedulerTimer)?
  private var deadline: (any SchedulerTimer)?

  /// - Parameters:
  ///   - roster: the configured adapters.
  ///   - rssiOffset: the offset of all adapters in dB.
  public init(_ scheduler: any Scheduler, _ link: any PacketLink, _ survey: Survey, _ roster: AdapterRoster, rssiOffset: Double) {
    (self.scheduler, self.survey, self.roster, self.rssiOffset) = (scheduler, survey, roster, rssiOffset)
    packets = PacketFollower(scheduler, link)
    timer = scheduler.timer { [unowned self] in show() }
    deadline = scheduler.timer { [unowned self] in onEnd(nil) }
    packets.onBegin = { [unowned self] in onReport == nil ? onNote("the survey has begun; Ctrl-C ends it") : show() }
    packets.onNote = { [unowned self] in onNote($0) }
    packets.onEnd = { [unowned self] in onEnd($0) }
  }

  /// Begins the walk when a daemon is available.
  ///
  /// - Parameter duration: the longest time of the walk; nil for any.
  public func begin(for duration: Span?) {
    if let duration { deadline?.arm(at: scheduler.now + duration) }
    packets.begin()
  }

  /// Call when the daemon has gone, and when it has returned.
  public func presenceChanged(_ isAvailable: Bool) { packets.presenceChanged(isAvailable) }

  /// Takes sightings.
  ///
  /// - Parameters:
  ///   - senders: the address of each sighting.
  ///   - latest: the adapters of the request that the sightings belong to.
  public func take(_ sightings: [Sighting], from senders: [BluetoothAddress], of latest: AdapterRoster) {
    var sightings = sightings
    // Adapters keep their numbers in the survey, although those of the daemon differ from one run to the next.
    roster.renumber(&sightings, of: latest)
    survey.hear(sightings, from: senders) { [standing] _ in
      standing
    } offset: { [roster, rssiOffset] in
      rssiOffset + roster.rssiOffset(of: $0)
    }
  }

  /// Takes the place at which the receiver stands from now on; nil while it walks.
  public func stand(at place: SurveyPlace?) { standing = place }

  /// Returns a sentence about a failure that ended the walk, whose report still counts.
  ///
  /// Throws the failure if the daemon has sent no packets before.
  public func keepReport(after failure: Failure) throws(Failure) -> String {
    // The walk cannot be repeated.
    guard packets.hasBegun else { throw failure }
    return "\(failure); the report has the packets received until then"
  }

  /// The report at the end of the walk.
  public var report: SurveyReport { report(isComplete: true) }

  private func report(isComplete: Bool) -> SurveyReport {
    survey.report(source: "beaconmond", lostPackets: packets.lostPackets, fitsPlaces: isComplete, adapterName: roster.name)
  }

  private func show() {
    timer?.arm(at: scheduler.now + Self.pause)
    onReport?(report(isComplete: false))
  }
}
