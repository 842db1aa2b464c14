import BeaconAdvertising
import Failures
import Instants
import Motion
import Proximity
import RadioHealth
import Ranging

/// A source of sightings: a capture, adapters, or none; each has its own clock, and stamps its output with it.
public protocol SightingSource: AnyObject {
  /// The name of the source in the config: `auto`, `capture:walk.btsnoop`.
  var name: String { get }
  /// The source that `auto` has selected, `bluez` or `hci`; nil for a source without a choice.
  var choice: String? { get }
  /// The reason for the choice; nil for a source without a choice.
  var reason: String? { get }
  var state: SourceState { get }
  /// Whether the source can receive beacons; if not, clients that request beacons get an error.
  var hearsBeacons: Bool { get }
  /// The fault of the source and its remedy; nil if there is none.
  var note: String? { get }
  /// Whether everything was played; true only for a recording or a simulation.
  var hasEnded: Bool { get }
  /// Counts of the advertisements that the source delivered, by their outcome.
  var counts: AdvertisementCounts { get }
  /// The health of each adapter; empty for a capture.
  var adapters: [AdapterHealth] { get }
  /// The adapter numbers that sightings carry.
  var roster: AdapterRoster { get }
  var receivers: Receivers { get }
  /// Returns the telemetry of beacons since the last call; empty for a source that receives none.
  func takeTelemetry() -> [BeaconTelemetry]
  /// The demand of the listener; a source with adapters receives no more than this.
  var demand: HearingDemand { get set }
  /// The time at which the listener needs a step even without sightings; `.never` for none.
  var wake: Instant { get set }

  /// The time of the source's clock; for a capture, the time of its last step.
  var now: Instant { get }

  /// Whether the listener cannot take more for now. A source that can wait, such as a capture, pauses.
  var isHeld: Bool { get set }

  /// Starts to call the listener.
  func start(_ listener: @escaping (SourceStep) -> Void)
  /// Applies a changed config of the adapters.
  func configure(_ adapters: [AdapterSettings])
  /// Whether the clock behind `wallClock` is synchronised; nil for a capture, whose times are its own, and if it is unknown.
  var isClockSynchronised: Bool? { get }
  /// Converts a time of the source's clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

extension SightingSource {
  public var hearsBeacons: Bool { true }
  public var hasEnded: Bool { false }
  public func takeTelemetry() -> [BeaconTelemetry] { [] }
}

public enum SourceStep {
  /// The clock is known and is at this time; sent once, before any sightings.
  case started(at: Instant)
  /// All sightings up to this time, in order.
  case heard([Sighting], through: Instant)
  /// The process did not run in this time, so silence in it does not count. Sightings of this time may follow.
  case stalled(from: Instant, to: Instant)
  /// The motion of the recorded device from this time on; only a recording has it.
  case moved(DeviceMotion, at: Instant)
  /// A change of `receivers`, `adapters`, `reason` or `note` from this time on.
  case changed(at: Instant)
  /// The source has failed for good.
  case failed(Failure)
}
