import Beacons
import Instants
import Publishing

/// The readings of beacons that a broker receives.
public struct BeaconPublishing: Hashable, Sendable {
  /// The beacons with readings.
  public enum Selection: Hashable, Sendable {
    /// The beacons of the regions that the target's actions name, as they are heard.
    case regions
    case listed([ListedBeacon])
  }

  /// A beacon that the configuration names.
  public struct ListedBeacon: Hashable, Sendable {
    public let identity: BeaconIdentity
    /// The name in Home Assistant; nil for its major and minor.
    public let name: String?

    public init(_ identity: BeaconIdentity, name: String? = nil) {
      (self.identity, self.name) = (identity, name)
    }
  }

  public let selection: Selection
  /// The kinds of entities in Home Assistant.
  public let entities: Set<BeaconEntity>
  /// The silence after which a beacon is not at home any more.
  public let awayAfter: Span
  /// The room of this device, for the messages of `mqtt_room`; nil for none.
  public let room: String?
  /// The topic above the rooms.
  public let roomTopic: String

  public static let defaultAwayAfter = Span.seconds(180)
  public static let defaultRoomTopic = "room_presence"

  public init(
    _ selection: Selection, entities: Set<BeaconEntity> = Set(BeaconEntity.allCases), awayAfter: Span = defaultAwayAfter,
    room: String? = nil, roomTopic: String = defaultRoomTopic
  ) {
    self.selection = selection
    self.entities = entities
    self.awayAfter = awayAfter
    self.room = room
    self.roomTopic = roomTopic
  }
}
