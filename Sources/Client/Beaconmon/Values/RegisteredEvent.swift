internal import Events
import FoundationEssentials
internal import Records

/// What an app is woken for: something happened at a region that it has registered.
///
/// It is the parameter of the app's action, which anybody on the user's session bus can activate: that it comes is a hint, never a proof.
public struct RegisteredEvent: Hashable, Sendable, Identifiable {
  /// The name of the action; its one parameter is the event, `a{sv}`.
  public static let action = "region-event"

  /// Names one event and no other. An event can come twice, and has the same then.
  public struct ID: Hashable, Sendable, Codable {
    public let journal: UUID
    /// Counts the events of all apps of the user.
    public let sequence: UInt64
  }

  public let id: ID
  /// The region's, as it was registered.
  public let identifier: String
  public let kind: RegionEvent.Kind
  /// From then on.
  public let state: RegionState
  /// When it became true, which may be long ago: what happens while the user is logged out comes at the next login.
  public let date: Date
  /// The beacon that decided, or that satisfied the region last.
  public let beacon: BeaconIdentityCondition?
  /// The fix that decided, of a circle. It has a coordinate, an accuracy, a speed and a time.
  public let location: Location?
}

extension RegisteredEvent {
  /// From what GLib's `g_variant_print(parameter, FALSE)` makes of the parameter.
  ///
  /// Nil for what is no event.
  public init?(details text: String) {
    guard let details = VariantText.dictionary(text) else { return nil }
    self.init(details: details)
  }

  /// From the parameter as a dictionary: texts as `String`, numbers as any integer or `Double`, flags as `Bool`, `a{sv}` as a dictionary again; no variants are left.
  ///
  /// Nil for what is no event. Keys that it does not know are left out.
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
    location = Location(of: event)
  }
}
