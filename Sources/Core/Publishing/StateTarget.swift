import DeliveryScheduling

/// A target that holds the present state, such as a broker with retained messages.
///
/// Deliveries are history: they change no state. The state comes from announcements and from the messages that `publish` takes.
public protocol StateTarget: DeliveryTarget {
  var topics: TopicTree { get }
  /// The entities in Home Assistant; nil without discovery.
  var home: HomeAssistant? { get }
  /// The place of the entities that an earlier version announced without recording the place.
  var formerPlace: DiscoveryPlace { get }
  /// Whether the announced states are the present ones. Otherwise the target shows them as unavailable.
  var isCurrent: Bool { get set }
  /// Sends the announcements again, because they have changed.
  func announce()
  /// Sends changed states. Without a connection, the announcements of the next one contain them.
  func publish(_ publications: [Publication])
  /// Sends messages of which a later one replaces each; returns false if the target takes none now.
  func report(_ publications: [Publication]) -> Bool
  /// Ends the pause before the next attempt to connect.
  func reconnect()
}

/// The messages that a broker receives with every connection, because it may have lost its retained messages.
public struct Announcement {
  /// The messages in their order, created one by one because there may be thousands.
  public var messages: AnySequence<Publication>
  /// The messages that clear the topics of removed entities.
  ///
  /// Home Assistant takes an empty payload for invalid JSON as long as an entity reads the topic, so these follow after a pause.
  public var clearings: [Publication]
  /// Whether the messages remove entities, so that `onCleared` has to be called.
  public var isRemoving: Bool
  /// Runs when the broker has acknowledged the messages and the clearings.
  public var onCleared: () -> Void

  public init(
    _ messages: AnySequence<Publication>, clearings: [Publication] = [], isRemoving: Bool = false, onCleared: @escaping () -> Void = {}
  ) {
    (self.messages, self.clearings, self.onCleared) = (messages, clearings, onCleared)
    self.isRemoving = isRemoving || !clearings.isEmpty
  }

  public static var none: Announcement { Announcement(AnySequence([])) }
}
