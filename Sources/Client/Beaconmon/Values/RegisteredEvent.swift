internal import Events
import FoundationEssentials
internal import Records

/// The event that wakes an app: a change at a region that the app has registered.
///
/// It is the parameter of the app's action. Any program on the user's session bus can activate the action, so the event is a hint and
/// no proof.
public struct RegisteredEvent: Hashable, Sendable, Identifiable {
  /// The name of the action; its one parameter is the event, `a{sv}`.
  public static let action = "region-event"

  /// The identity of one event. An event that is delivered twice keeps its id.
  public struct ID: Hashable, Sendable, Codable {
    public let journal: UUID
    /// The sequence among the events of all apps of the user.
    public let sequence: UInt64
  }

  public let id: ID
  /// The identifier of the registered region.
  public let identifier: String
  public let kind: RegionEvent.Kind
  /// The state after the event.
  public let state: RegionState
  /// The time of the change, which may be long ago: events while the user is logged out come at the next login.
  public let date: Date
  /// The beacon that decided, or that satisfied the region last; nil if there is none.
  public let beacon: BeaconIdentityCondition?
  /// The measurements of this beacon; nil if there is none.
  public let measurement: BeaconMeasurement?
  /// The deciding fix of a circle, with a coordinate, an accuracy, a speed and a time; nil for beacons.
  public let location: Location?
  /// The metres from the fix to the edge of the circle, negative inside; nil for other regions.
  public let boundaryDistance: Double?
  /// The evidence.
  public let reason: EventReason
  /// The storey of a `PlaceRegion`: that of its place or level, where 0 is the ground floor; nil for other regions.
  public let floor: Int?
  /// The name of this level, in the language of the service.
  public let levelName: String?
}

extension RegisteredEvent {
  /// Creates an event from the text that GLib's `g_variant_print(parameter, FALSE)` returns for the parameter.
  ///
  /// Nil if the text is not an event.
  public init?(details text: String) {
    guard let details = VariantText.dictionary(text) else { return nil }
    self.init(details: details)
  }

  /// Creates an event from the parameter as a dictionary without variants.
  ///
  /// Texts are `String`, numbers any integer or `Double`, flags `Bool`, and `a{sv}` a dictionary again. Nil if the dictionary is not
  /// an event. Unknown keys are ignored.
  public init?(details: [String: Any]) {
    guard let event = Event(Record(plain: details)), let journal = event.journal.flatMap({ UUID(uuidString: $0) }),
      let identifier = event.region, let kind = event.kind, let time = event.time
    else { return nil }
    id = ID(journal: journal, sequence: event.sequence)
    self.identifier = identifier
    self.kind = RegionEvent.Kind(kind)
    state = RegionState(event.state)
    date = Date(time)
    beacon = event.beacon.map { BeaconIdentityCondition($0) }
    (measurement, boundaryDistance) = (BeaconMeasurement(event), event.boundaryDistance)
    location = Location(of: event)
    reason = EventReason(event.reason)
    (floor, levelName) = (event.floor.flatMap { Int(exactly: $0) }, event.levelName)
  }
}
