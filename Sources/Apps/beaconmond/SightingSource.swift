import BeaconAdvertising
import Failures
import Instants
import MonitorService
import Proximity
import Radios
import Ranging

/// Where sightings come from: a capture, a radio, or nowhere. Each has a clock of its own, and says what time it is with everything it tells.
protocol SightingSource: AnyObject {
  /// As the config writes it.
  var name: String { get }
  /// What "auto" has come to, and why; nil for a source that leaves no choice.
  var choice: String? { get }
  var reason: String? { get }
  var state: SourceState { get }
  /// False: it never hears anything, and whoever waits for beacons is told so.
  var hearsBeacons: Bool { get }
  /// What is wrong with it, and what to do; nil while nothing is.
  var note: String? { get }
  var counts: AdvertisementCounts { get }
  /// How well each adapter hears, for people; none for a capture.
  var adapters: [AdapterHealth] { get }
  /// The numbers that sightings carry.
  var roster: AdapterRoster { get }
  var receivers: Receivers { get }
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
  func yield(adapter address: BluetoothAddress)
  /// Tells everything from now on.
  func start(_ listener: @escaping (SourceStep) -> Void)
  /// Takes another config of the adapters.
  func configure(_ adapters: [AdapterSettings])
  /// Somebody keeps the clock right that `wallClock` goes by; nil for a capture, whose times are its own, and where nobody can tell.
  var isClockSynchronised: Bool? { get }
  /// From its clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

extension SightingSource {
  var hearsBeacons: Bool { true }

  /// A capture scans with none.
  func yield(adapter address: BluetoothAddress) {}
}

enum SourceStep {
  /// Its clock is known and stands at this time; told once, before anything is heard.
  case started(at: Instant)
  /// Everything that was heard up to this time, in order.
  case heard([Sighting], through: Instant)
  /// `receivers`, `adapters`, `reason` or `note` tell something else, from this time on.
  case changed(at: Instant)
  /// There is nothing to hear and there never will be.
  case failed(Failure)
}
