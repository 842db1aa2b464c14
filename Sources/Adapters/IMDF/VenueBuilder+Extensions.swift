import Beacons
import Geodesy
import Venues

// The content of this program's own extensions.

extension VenueBuilder {
  /// Takes the values of the venue that the standard cannot contain.
  mutating func readAdditions(_ additions: [String: JSONValue], of feature: IMDFFeature) {
    if let id = additions["id"]?.text {
      var used = IDPool()
      venue.id = self.id(id, of: feature, &used)
    }
    if additions["generated"]?.list?.contains(.text("name")) == true { venue.name = LocalizedText() }
    for text in (additions["uuids"]?.list ?? []).map({ $0.text ?? "" }) {
      do throws(BeaconUUIDError) {
        venue.uuids.append(try BeaconUUID(text))
      } catch {
        notes.warn("a UUID that cannot be read, which is ignored", feature)
      }
    }
    if let accuracy = additions["accuracy"]?.number, Venue.accuracies.contains(accuracy) { venue.accuracy = accuracy }
    for (role, value) in additions["majors"]?.object ?? [:] {
      if let major = value.number.flatMap({ UInt16(exactly: $0) }) { venue.roles[major] = role }
    }
    guard let stated = additions["frame"] else { return }
    let origin = stated["latitude"]?.number.flatMap { latitude in
      stated["longitude"]?.number.flatMap { Coordinate(latitude: latitude, longitude: $0) }
    }
    guard let origin, let bearing = stated["bearing"]?.number, abs(bearing) <= 360,
      origin.distance(to: positions.center) <= MapPositions.mostDistance
    else { return notes.warn("a frame far from the venue, which is ignored", feature) }
    frame = VenueFrame(origin: origin, bearing: bearing)
    venue.frame = frame
  }

  /// Takes the website of the venue, and the app of this program's extension, as its offer.
  mutating func readOffer(_ feature: IMDFFeature) {
    let website = feature["website"]
    let page = website.flatMap { link($0) }
    if website != nil, page == nil { notes.omit("the website, which is not an https address", feature) }
    let stated = feature.additions?["nearby"]
    var app: VenueLaunch?
    if let id = stated?["app"]?.text, VenueLaunch.isDesktopFileID(id) {
      app = .desktopFile(id)
    } else if let name = stated?["busName"]?.text, VenueLaunch.isBusName(name) {
      app = .busName(name, action: stated?["action"]?.text.flatMap { VenueLaunch.isAction($0) ? $0 : nil })
    } else if stated?["app"] != nil || stated?["busName"] != nil {
      notes.omit("the app, whose name is invalid", feature)
    }
    guard app != nil || page != nil else { return }
    venue.nearby = VenueOffer(
      app: app, page: page, title: labels(stated?["title"], of: feature), text: labels(stated?["text"], of: feature, most: Self.mostText))
    // The archive comes from a stranger, so the user decides about launches.
    venue.isImported = true
  }

  /// Reads beacons and walls, and drops references to beacons that the archive does not have.
  mutating func readExtensions() {
    var planned: Set<BeaconIdentity> = []
    for feature in content[IMDFFormat.beacon] { readBeacon(feature, &planned) }
    for feature in content["detail"] {
      guard let attenuation = feature.additions?["attenuation"]?.number else {
        notes.omit("the line; the standard does not say what it shows", feature)
        continue
      }
      guard let level = level(of: feature) else { continue }
      for line in line(of: feature) {
        for (from, to) in zip(line, line.dropFirst()) {
          venue.walls.append(VenueWall(level: venue.levels[level].id, from: from, to: to, attenuation: attenuation))
        }
      }
    }
    for index in venue.places.indices {
      guard let beacon = venue.places[index].beacon, !planned.contains(beacon) else { continue }
      notes.warn("place \(venue.places[index].id): its beacon \(beacon.major)/\(beacon.minor) is not in the archive")
      venue.places[index].beacon = nil
    }
    let others = planned.map(\.uuid).filter { !venue.uuids.contains($0) }
    venue.uuids += Set(others).sorted()
  }

  private mutating func readBeacon(_ feature: IMDFFeature, _ planned: inout Set<BeaconIdentity>) {
    guard let identity = BeaconIdentity(.object(feature.properties)) else {
      return notes.warn("no uuid, major and minor; the feature is ignored", feature)
    }
    guard let level = level(of: feature), let point = point(of: feature) else { return }
    guard planned.insert(identity).inserted else {
      return notes.warn("an earlier beacon has the same uuid, major and minor; this one is ignored", feature)
    }
    let name = feature["name"]?.text?.plain(most: 64)
    venue.beacons.append(
      PlannedBeacon(
        identity: identity, level: venue.levels[level].id, position: point, height: feature["height"]?.number,
        power: feature["power"]?.number, name: name.flatMap { $0.isEmpty ? nil : $0 }))
  }
}
