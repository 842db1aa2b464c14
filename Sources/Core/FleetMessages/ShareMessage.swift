import Diagnostics

/// A message of a device to the hub about its own shares, or those that others offer to it.
public enum ShareMessage: Hashable, Sendable {
  /// Offers the position of this device. The hub ignores an offer that it knows already.
  case offer(ShareOffer)
  /// The newest position; nil if the device does not know it.
  case position(ShareID, SharedPosition?)
  /// Ends a share of this device.
  case end(ShareID)
  /// Accepts or declines an offer to this device. A recipient also leaves an accepted share by declining it.
  case answer(ShareID, isAccepted: Bool)
  /// Asks for a notice, after a connection.
  case refresh

  /// The longest share.
  public static let longestSeconds: Int64 = 86_400
}

/// An offer of a device's position.
public struct ShareOffer: Hashable, Sendable {
  /// The largest number of recipients.
  public static let mostRecipients = 8
  /// The longest purpose in octets.
  public static let longestPurpose = 200

  public var id: ShareID
  /// Milliseconds since the Unix epoch, by the clock of the device.
  public var ends: Int64
  public var purpose: String
  public var recipients: [ShareParty]

  public init(id: ShareID, ends: Int64, purpose: String, recipients: [ShareParty]) {
    (self.id, self.ends, self.purpose, self.recipients) = (id, ends, purpose, recipients)
  }
}

extension ShareOffer {
  /// Whether a text is the purpose of a share: 1 to 200 octets in one line that is safe to display.
  public static func isPurpose(_ text: String) -> Bool {
    (1...longestPurpose).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isUnprintable)
  }
}

/// The position of a device as its owner shares it.
public struct SharedPosition: Hashable, Sendable {
  /// The largest text in octets.
  public static let longestText = 96

  /// Degrees, WGS84.
  public var latitude: Double
  /// Degrees, WGS84.
  public var longitude: Double
  /// Metres, one sigma; nil if it is unknown.
  public var accuracy: Double?
  /// The floor, with 0 the ground; nil outside of venues.
  public var floor: Int?
  /// The id of the level.
  public var level: String?
  /// The id of the venue.
  public var venue: String?
  /// The place in one line.
  public var place: String?

  public init(
    latitude: Double, longitude: Double, accuracy: Double? = nil, floor: Int? = nil, level: String? = nil, venue: String? = nil,
    place: String? = nil
  ) {
    (self.latitude, self.longitude, self.accuracy, self.floor) = (latitude, longitude, accuracy, floor)
    (self.level, self.venue, self.place) = (level, venue, place)
  }
}
