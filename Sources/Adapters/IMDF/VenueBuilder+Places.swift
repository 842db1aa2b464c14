import Beacons
import Venues

extension VenueBuilder {
  mutating func readPlaces() {
    var used = IDPool()
    // The rooms that stand for a place already.
    var taken: Set<String> = []
    for occupant in content["occupant"] { readOccupant(occupant, &used, &taken) }
    for amenity in content["amenity"] { readAmenity(amenity, &used, &taken) }
    for kiosk in content["kiosk"] { readArea(kiosk, .shop, &used) }
    let indices = Dictionary(venue.places.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    for section in content["section"] {
      if let place = section.additions?["place"]?.text {
        addArea(of: section, toPlace: indices[place])
      } else if section["name"] != nil {
        readArea(section, Place.Kind(section: section.category), &used)
      } else {
        notes.omit("the section without a name", section)
      }
    }
    for unit in content["unit"] where unit["name"] != nil && !taken.contains(unit.id) {
      let use = UnitUse(category: unit.category)
      if case .walkable = use { readArea(unit, Place.Kind(unit: unit.category), &used) }
    }
    for opening in content["opening"] { readOpening(opening, &used) }
  }

  // MARK: Points

  /// Reads an occupant, which has no geometry but an anchor.
  private mutating func readOccupant(_ feature: IMDFFeature, _ used: inout IDPool, _ taken: inout Set<String>) {
    guard let anchor = feature.reference("anchor_id").flatMap({ anchors[$0] }) else {
      return notes.warn("the reference leads to no anchor; the feature is ignored", feature)
    }
    guard let level = level(of: anchor), let point = point(of: anchor) else {
      return notes.warn("the anchor has no place on a level; the feature is ignored", feature)
    }
    var place = place(feature, .init(occupant: feature.category), level, point, &used)
    if feature.additions == nil, let unit = anchor.reference("unit_id").flatMap({ units[$0] }), UnitUse.isRoom(unit.category) {
      if taken.insert(unit.id).inserted { place.area = largestArea(of: unit) }
    }
    venue.places.append(place)
  }

  private mutating func readAmenity(_ feature: IMDFFeature, _ used: inout IDPool, _ taken: inout Set<String>) {
    guard let level = level(of: feature) else { return }
    guard let point = point(of: feature) else { return notes.warn("no position; the feature is ignored", feature) }
    var place = place(feature, .init(amenity: feature.category), level, point, &used)
    let unit = feature.references("unit_ids").first.flatMap { units[$0] }
    if feature.additions == nil, let unit, feature.references("unit_ids").count == 1, UnitUse.isRoom(unit.category),
      Place.Kind(unit: unit.category) == place.kind, taken.insert(unit.id).inserted
    {
      place.area = largestArea(of: unit)
      if place.title.isEmpty { place.title = labels(unit["name"], of: unit) }
    }
    venue.places.append(place)
  }

  private mutating func readOpening(_ feature: IMDFFeature, _ used: inout IDPool) {
    let kind: Place.Kind
    switch feature.category {
    case "pedestrian.principal": kind = .entrance
    case "emergencyexit": kind = .exit
    default:
      if feature["name"] != nil { notes.omit("the name of the door", feature) }
      return
    }
    guard let level = level(of: feature), let point = point(of: feature) else { return }
    venue.places.append(place(feature, kind, level, point, &used))
  }

  // MARK: Areas

  private mutating func readArea(_ feature: IMDFFeature, _ kind: Place.Kind, _ used: inout IDPool) {
    guard let level = level(of: feature), let area = largestArea(of: feature) else { return }
    let point = point(of: feature) ?? area.innerPoint
    var place = place(feature, kind, level, point, &used)
    place.area = area
    venue.places.append(place)
  }

  private mutating func largestArea(of feature: IMDFFeature) -> PlanPolygon? {
    let areas = area(of: feature)
    if areas.count > 1 { notes.warn("several areas; the place has the largest one", feature) }
    return areas.max { $0.area < $1.area }
  }

  private mutating func addArea(of feature: IMDFFeature, toPlace index: Int?) {
    guard let index else {
      return notes.warn("the place of this area is not in the archive; the area is ignored", feature)
    }
    venue.places[index].area = largestArea(of: feature)
  }

  // MARK: Common properties

  private mutating func place(
    _ feature: IMDFFeature, _ kind: Place.Kind, _ level: Int, _ point: PlanPoint, _ used: inout IDPool
  ) -> Place {
    let additions = feature.additions
    let hasMadeName = additions?["generated"]?.list?.contains(.text("name")) == true
    var place = Place(
      id: id(additions?["id"]?.text ?? feature.id, of: feature, &used), kind: additions?["kind"]?.text.flatMap(Place.Kind.init) ?? kind,
      level: venue.levels[level].id, position: point, title: hasMadeName ? LocalizedText() : labels(feature["name"], of: feature))
    if let website = feature["website"] {
      if let address = link(website) {
        place.links = [Place.Link(address: address)]
      } else {
        notes.omit("the website, which is not an https address", feature)
      }
    }
    guard let additions else { return place }
    if let level = additions["level"]?.text, venue.level(level) != nil { place.level = level }
    place.radius = additions["radius"]?.number.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    if let beacon = additions["beacon"] {
      place.beacon = BeaconIdentity(beacon)
      if place.beacon == nil { notes.warn("a beacon without a valid uuid, major and minor, which is ignored", feature) }
    }
    place.text = labels(additions["text"], of: feature, most: Self.mostText)
    place.audio = labels(additions["audio"], of: feature, most: 1024)
    place.image = additions["image"]?.text?.plain(most: 1024)
    place.isLandmark = additions["landmark"]?.flag ?? false
    if let links = additions["links"]?.list {
      place.links = []
      for value in links {
        guard let address = link(value["url"]) else {
          notes.warn("a link that is not an https address, which is ignored", feature)
          continue
        }
        place.links.append(Place.Link(address: address, title: labels(value["title"], of: feature)))
      }
    }
    return place
  }
}

extension BeaconIdentity {
  /// Reads the identity of an extension; nil if a part is missing or invalid.
  init?(_ value: JSONValue) {
    // The callers warn; they need no more than that a part is invalid.
    guard let text = value["uuid"]?.text, let uuid = try? BeaconUUID(text),
      let major = value["major"]?.number.flatMap({ UInt16(exactly: $0) }),
      let minor = value["minor"]?.number.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    self.init(uuid: uuid, major: major, minor: minor)
  }

  var value: JSONValue {
    .object(["uuid": .text(uuid.description), "major": .number(Double(major)), "minor": .number(Double(minor))])
  }
}
