import Records

/// The surveys of a site's rooms in words, and whether the surveys or learned levels decide.
///
/// It grows survey by survey, because a large site has large surveys.
public struct SurveyOverview {
  private let site: String
  private let devices: [PlacedDevice]
  /// The number of rooms without a survey that can be read, and that of surveys whose devices were moved.
  private var (missing, unfit) = (0, 0)

  /// The rooms that need a survey.
  public let rooms: [String]

  public init(of site: String, devices: [PlacedDevice]) {
    (self.site, self.devices, rooms) = (site, devices, devices.rooms)
  }

  /// Returns the line of a room without a survey.
  public mutating func addUnsurveyed(_ room: String) -> String {
    missing += 1
    return "\(room)  not surveyed"
  }

  /// Returns the line of a room whose survey cannot be read.
  public mutating func add(_ entry: SurveyedRoom, _ error: RoomStateError) -> String {
    missing += 1
    return "\(entry.room)  \(entry.time)  \(error); survey it again"
  }

  /// Returns the line of a room with its survey.
  public mutating func add(_ entry: SurveyedRoom, _ survey: RoomSurvey) -> String {
    if !survey.hasPlaces(for: devices.map(\.device)) { unfit += 1 }
    return "\(entry.room)  \(entry.time)  \(description(of: survey))"
  }

  /// Returns the lines of the surveys of rooms that have no device any more.
  public func abandoned(_ stored: [SurveyedRoom]) -> [String] {
    stored.filter { !rooms.contains($0.room) }.map { "\($0.room)  \($0.time)  has no device now and does not count" }
  }

  /// Whether the surveys decide, after all rooms were added.
  public var verdict: String {
    if rooms.isEmpty { return "no device of \(site) has a room" }
    if missing > 0 {
      let verb = missing == 1 ? "is" : "are"
      return "\(missing) of \(Count.text(rooms.count, "room")) \(verb) not surveyed, so learned levels decide"
    }
    if unfit > 0 { return "too many devices were moved or removed, so learned levels decide; survey again" }
    return "all rooms are surveyed, so the surveys decide"
  }

  private func description(of survey: RoomSurvey) -> String {
    let moved = survey.hearing.filter { listener in
      devices.contains { $0.device.id == listener.device && $0.device.room != listener.room }
    }
    let new = survey.silent(of: devices)
    return "\(survey.seconds) s, \(survey.content); doors to "
      + (survey.doors.isEmpty ? "unknown rooms" : survey.doors.joined(separator: ", "))
      + (moved.isEmpty ? "" : "; \(Count.text(moved.count, "device was", plural: "devices were")) moved since: survey it again")
      + (new.isEmpty ? "" : "; \(new.map(\.name).joined(separator: ", ")) did not tell then whether they heard the tag, and count less")
  }
}
