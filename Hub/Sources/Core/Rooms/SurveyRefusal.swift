/// The reason why a survey is not made, with the remedy.
public enum SurveyRefusal: Error, Hashable, Sendable {
  case unknownSite(String)
  case noPlacedDevice(site: String)
  /// No device of the site is in the room.
  case unknownRoom(String, site: String, rooms: [String])
  /// A door of the room leads to the room itself.
  case doorToItself(room: String)
  /// The room has no survey that could be deleted; nil for all rooms.
  case noSurvey(room: String?, site: String)
  /// The text is not that of a tag.
  case noTag(String)
  case unheardTag(String, site: String)
  case ambiguousTag(String, site: String, tags: [String])
  /// A part of the walk does not end after its beginning.
  case reversedPart
  /// A part of the walk begins before the end of the earlier one.
  case unorderedParts
  case endInFuture
  case tooLong
  /// The walk may continue for these seconds, and is sufficient then.
  case tooShort(missing: Int)
  case noDigest(site: String)
  case unheardWalk(room: String)
  /// No walk of the longest length would be sufficient.
  case heardTooRarely(levels: Int, seconds: Int)

  /// The seconds for which the installer has to walk on; nil if that does not help.
  public var missingSeconds: Int? {
    guard case .tooShort(let missing) = self else { return nil }
    return missing
  }
}

extension SurveyRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownSite(let site): "there is no site \(site); enrol a device there first"
    case .noPlacedDevice(let site): "no device of \(site) has a room; run \"beaconmon-hub admin place\" for each first"
    case .unknownRoom(let name, let site, let rooms):
      "no device of \(site) is in \"\(name)\"; the rooms are \(rooms.joined(separator: ", ")), and \"beaconmon-hub admin place\" adds one"
    case .doorToItself(let room): "a door of \"\(room)\" cannot lead to \"\(room)\"; name the room behind it"
    case .noSurvey(let room, let site): "\(site) has no survey\(room.map { " of \"\($0)\"" } ?? ""); --list prints them"
    case .noTag(let text): "\"\(text)\" is not a tag; write MAJOR/MINOR, such as 1/7, or UUID/MAJOR/MINOR"
    case .unheardTag(let text, let site): "no device of \(site) has heard a tag \(text); switch it on near a device, and check its numbers"
    case .ambiguousTag(let text, let site, let tags):
      "\(site) has \(tags.count) tags \(text); write one of \(tags.joined(separator: ", "))"
    case .reversedPart: "a walk ends after it begins; correct the times"
    case .unorderedParts: "the parts of a walk follow each other; give them in their order"
    case .endInFuture: "a walk ends not after the present time of the database; correct the times"
    case .tooLong: "a walk takes at most \(RoomSurvey.longest / 60) minutes; walk again, or correct the times"
    case .tooShort(let missing): "the walk is too short and was not stored; walk for \(missing) s more"
    case .noDigest(let site):
      "no device of \(site) has sent a digest in this time; check the times, the devices, and how long digests are kept"
    case .unheardWalk(let room): "no device has heard the tag in \"\(room)\"; check the tag and its battery"
    case .heardTooRarely(let levels, let seconds):
      "\(levels) levels in \(seconds) s are too few; check the battery and the interval of the tag"
    }
  }
}
