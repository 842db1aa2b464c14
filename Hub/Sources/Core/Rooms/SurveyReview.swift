/// The review of a survey before it is stored.
public struct SurveyReview: Hashable, Sendable {
  /// The content of the survey, and warnings about it, a line for each.
  public private(set) var lines: [String] = []
  /// The reason why the survey is not stored; nil if it is sufficient.
  public private(set) var refusal: SurveyRefusal?

  /// - Parameter devices: The devices of the site that have a room now.
  public init(of survey: RoomSurvey, at site: String, devices: [PlacedDevice]) {
    guard let missing = survey.missingSeconds else {
      refusal = survey.listeners.isEmpty ? .noDigest(site: site) : .unheardWalk(room: survey.room)
      return
    }
    lines = ["\(survey.room): \(survey.content) in \(survey.seconds) s"]
    let own = Set(devices.filter { $0.device.room == survey.room }.map(\.device.id))
    if !survey.hearing.contains(where: { own.contains($0.device) }) {
      lines.append("warning: no device in \(survey.room) has heard the tag; was it this room?")
    }
    let silent = survey.silent(of: devices)
    if !silent.isEmpty {
      // A full digest may have left the tag out.
      lines.append(
        "warning: these devices sent nothing, or digests full of louder beacons, and count less: "
          + "\(silent.map(\.name).joined(separator: ", "))")
    }
    if survey.isHeardTooRarely {
      refusal = .heardTooRarely(levels: survey.levelCount, seconds: survey.seconds)
    } else if missing > 0 {
      refusal = .tooShort(missing: missing)
    }
  }

  /// Returns why a walk of this length is not read; nil if its survey is reviewed next.
  public static func refusal(ofSeconds seconds: Int) -> SurveyRefusal? {
    if seconds > RoomSurvey.longest { return .tooLong }
    return seconds > RoomSurvey.settlingTime ? nil : .tooShort(missing: RoomSurvey.shortest - seconds)
  }

  /// Returns why the parts of a walk are refused; nil if they are in order.
  ///
  /// - Parameters:
  ///   - parts: The beginning and the end of each part, in milliseconds since 1970.
  ///   - present: The present time of the database.
  public static func refusal(of parts: [(begin: Int64, end: Int64)], present: Int64) -> SurveyRefusal? {
    guard parts.allSatisfy({ $0.begin < $0.end }) else { return .reversedPart }
    guard zip(parts, parts.dropFirst()).allSatisfy({ $0.end <= $1.begin }) else { return .unorderedParts }
    guard let end = parts.last?.end, end <= present else { return .endInFuture }
    return nil
  }

  /// Returns why no survey is made of a room with these doors; nil if nothing is wrong with them.
  public static func refusal(of room: String, doors: [String], at site: String, devices: [PlacedDevice]) -> SurveyRefusal? {
    let rooms = devices.rooms
    if let name = ([room] + doors).first(where: { !rooms.contains($0) }) { return .unknownRoom(name, site: site, rooms: rooms) }
    return doors.contains(room) ? .doorToItself(room: room) : nil
  }
}

extension RoomSurvey {
  /// Returns the devices that did not tell during the walk whether they heard the tag.
  func silent(of devices: [PlacedDevice]) -> [PlacedDevice] {
    devices.filter { device in !listeners.contains { $0.device == device.device.id } }
  }
}
