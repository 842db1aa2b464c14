import BeaconAdvertising
import Failures
import Instants
import MonitorBus
import Ranging
import Records

/// Where sightings come from: a capture or a radio. Each has a clock of its own, and says what time it is with everything it tells.
protocol SightingSource: AnyObject {
  /// As the config writes it.
  var name: String { get }
  var state: SourceState { get }
  /// What is wrong with it, and what to do; nil while nothing is.
  var note: String? { get }
  var counts: AdvertisementCounts { get }
  /// How well each receiver hears, for people; none for a capture.
  var adapters: [Record] { get }
  /// What the listener wants to hear; whoever hears with a radio takes no more of it than that.
  var demand: HearingDemand { get set }
  /// When the listener wants to be told the time though nothing is heard; `.never` for not at all.
  var wake: Instant { get set }

  /// What its clock says now; of a capture, how far it has been told.
  var now: Instant { get }
  /// Gets everything that is heard, beacon or not; nil while nobody records.
  var recorder: Recorder? { get set }

  /// True while those who are told cannot take more; a source that can wait does.
  var isHeld: Bool { get set }

  /// Stops scanning with an adapter for a moment, so that it can begin to advertise.
  func yield(adapter address: String)
  /// Tells everything from now on.
  func start(_ listener: @escaping (SourceStep) -> Void)
  /// From its clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
  func adapterName(_ adapter: UInt16) -> String?
}

extension SightingSource {
  /// A capture scans with none.
  func yield(adapter address: String) {}
}

enum SourceStep {
  /// Its clock is known and stands at this time; told once, before anything is heard.
  case started(at: Instant)
  /// Everything that was heard up to this time, in order.
  case heard([Sighting], through: Instant)
  /// `state` or `note` is another one, from this time on.
  case changed(at: Instant)
  /// There is nothing to hear and there never will be.
  case failed(Failure)
}
