import Beacons
import Venues

// Beacons, and places with their content.

extension VenueReader {
  mutating func readBeacons() -> [PlannedBeacon] {
    var firstLines: [BeaconIdentity: SourceLine?] = [:]
    var result: [PlannedBeacon] = []
    for var table in top.tables("beacon", called: "beacon") {
      let beacon = beacon(&table)
      if let beacon {
        if let first = firstLines[beacon.identity] {
          table.report(nil, "is a duplicate of the beacon \(table.reference(to: first)); remove one of them, or use another minor")
        } else {
          firstLines[beacon.identity] = table.line
          beacons[beacon.identity] = beacon
          result.append(beacon)
          lines.beacons.append(table.line)
        }
      }
      table.finish()
    }
    return result
  }

  private func beacon(_ table: inout TableReader) -> PlannedBeacon? {
    let uuid = table.read("uuid", as: .uuid) ?? (table.has("uuid") ? nil : uuids.first)
    if uuid == nil, !table.has("uuid"), !top.has("uuid") {
      table.report(nil, "missing key \"uuid\"; write it here, or at the top of the file for all beacons")
    }
    let major = table.require("major", as: .short)
    let minor = table.require("minor", as: .short)
    let level = level(&table)
    let position = table.require("position", as: .point)
    let height = table.read("height", as: .number(-100...1000))
    let power = table.read("power", as: .number(-100...20))
    let name = table.read("name", as: .name(of: "beacon", example: "above the door"))
    guard let uuid, let major, let minor, let level, let position else { return nil }
    return PlannedBeacon(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), level: level, position: position, height: height, power: power,
      name: name)
  }

  mutating func readPlaces() -> [Place] {
    let tables = top.tables("place", called: "place")
    if tables.count > VenueDocument.mostPlaces {
      top.report("place", "has \(tables.count) places; at most \(VenueDocument.mostPlaces) are allowed, so split the venue")
    }
    var result: [Place] = []
    var firstLines: [String: SourceLine?] = [:]
    var firstPlaces: [BeaconIdentity: SourceLine?] = [:]
    for var table in tables.prefix(VenueDocument.mostPlaces) {
      let id = table.require("id", as: .venueID(of: "place", example: "lodestone"))
      if let id {
        table.rename("place \(id.quoted)")
        if let first = firstLines[id] {
          table.report("id", "is already used by the place \(table.reference(to: first)); choose another one")
        } else {
          firstLines[id] = table.line(of: "id")
        }
      }
      if let place = place(&table, id ?? "") {
        if let beacon = place.beacon {
          if let first = firstPlaces[beacon] {
            table.warn("beacon", "stands for the place \(table.reference(to: first)) already, which takes precedence")
          }
          firstPlaces[beacon] = firstPlaces[beacon] ?? table.line
        }
        result.append(place)
        lines.places.append(table.line)
      }
      table.finish()
    }
    places = Set(firstLines.keys)
    return result
  }

  private func place(_ table: inout TableReader, _ id: String) -> Place? {
    let kind = table.read("kind", as: ValueDecoder<Place.Kind>.choice(of: "kind of place"))
    let beacon = plannedBeacon(&table)
    let level = level(&table, fallback: beacon?.level)
    let area = table.read("area", as: .polygon)
    let position = table.read("position", as: .point) ?? area?.center ?? beacon?.position
    if position == nil, !["position", "area", "beacon"].contains(where: table.has) {
      table.report(nil, "missing key \"position\"; add position, area or beacon")
    }
    let radius = table.read("radius", as: .number(0.1...1000))
    let title = table.read("title", as: .title)
    let text = table.read("text", as: .paragraphs)
    let links = table.read("links", as: .links)
    let image = table.read("image", as: .media(example: "lodestone.jpg"))
    let audio = table.read("audio", as: .mediaByLanguage(example: "lodestone.ogg"))
    if let image, !image.contains("://") { table.refer("image", to: .venueFile(image)) }
    for recording in Set(audio?.versions.map(\.text) ?? []).sorted() where !recording.contains("://") {
      table.refer("audio", to: .venueFile(recording))
    }
    let isLandmark = table.read("landmark", as: .flag)
    guard let level, let position else { return nil }
    return Place(
      id: id, kind: kind ?? .other, level: level, position: position, area: area, radius: radius, beacon: beacon?.identity,
      title: title ?? LocalizedText(), text: text ?? LocalizedText(), links: links ?? [], image: image, audio: audio ?? LocalizedText(),
      isLandmark: isLandmark ?? false)
  }

  /// Returns the beacon with the major and minor of the key `beacon`.
  ///
  /// It has the default UUID, or else the first other one with a beacon of these numbers.
  private func plannedBeacon(_ table: inout TableReader) -> PlannedBeacon? {
    guard let (major, minor) = table.read("beacon", as: .majorAndMinor) else { return nil }
    for uuid in uuids {
      if let beacon = beacons[BeaconIdentity(uuid: uuid, major: major, minor: minor)] { return beacon }
    }
    let others = beacons.keys.filter { $0.major == major && $0.minor == minor }
    if let identity = others.min(), let beacon = beacons[identity] { return beacon }
    table.report("beacon", "there is no beacon with major \(major) and minor \(minor); define it in a [[beacon]]")
    return nil
  }
}
