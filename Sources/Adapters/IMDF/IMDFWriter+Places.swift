import Venues

extension IMDFWriter {
  /// Writes shops as occupants with anchors, other places as amenities, and areas as sections.
  mutating func writePlaces() {
    for place in venue.places {
      guard let level = levels[place.level] else { continue }
      let id = id("place", place.id)
      let unit = unit(at: place.position, onLevel: place.level).map { JSONValue.text($0) }
      let website = place.links.first.map { JSONValue.text($0.address) } ?? .null
      if let category = place.kind.amenityCategory {
        add(
          "amenity", id: id, position(place.position),
          [
            "category": .text(category), "accessibility": .null, "name": labels(place.title), "alt_name": .null, "hours": .null,
            "phone": .null, "website": website, "unit_ids": .list(unit.map { [$0] } ?? []), "address_id": .null, "correlation_id": .null,
          ], additions(of: place))
      } else {
        let anchor = self.id("anchor", "place/\(place.id)")
        add("anchor", id: anchor, position(place.position), ["address_id": .null, "unit_id": unit ?? .null])
        var additions = additions(of: place)
        if place.title.isEmpty { additions["generated"] = .list([.text("name")]) }
        add(
          "occupant", id: id, .null,
          [
            "category": .text("shopping"), "name": labels(place.title, or: place.id), "anchor_id": .text(anchor), "hours": .null,
            "phone": .null, "website": website, "validity": .null, "correlation_id": .null,
          ], additions)
      }
      if let area = place.area {
        add(
          "section", id: self.id("section", place.id), polygon(area),
          [
            "category": .text(place.kind.sectionCategory), "restriction": .null, "accessibility": .null, "name": labels(place.title),
            "alt_name": .null, "level_id": .text(level), "display_point": position(area.innerPoint), "address_id": .null,
            "correlation_id": .null, "parents": .null,
          ], ["place": .text(place.id)])
      }
    }
  }

  /// The values of a place that the standard does not have.
  private func additions(of place: Place) -> [String: JSONValue] {
    var values: [String: JSONValue] = ["id": .text(place.id), "kind": .text(place.kind.rawValue), "level": .text(place.level)]
    values["radius"] = place.radius.map { .number($0) }
    values["beacon"] = place.beacon?.value
    if !place.text.isEmpty { values["text"] = labels(place.text) }
    if !place.audio.isEmpty { values["audio"] = labels(place.audio) }
    values["image"] = place.image.map { .text($0) }
    if place.isLandmark { values["landmark"] = .flag(true) }
    if !place.links.isEmpty {
      values["links"] = .list(place.links.map { .object(["url": .text($0.address), "title": labels($0.title)]) })
    }
    return values
  }
}
