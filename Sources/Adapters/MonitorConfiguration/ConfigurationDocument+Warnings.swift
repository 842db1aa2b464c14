import Addresses
import Beacons
import Diagnostics
import EventActions
import Geodesy
import Locations
import Regions
import Venues

extension ConfigurationDocument {
  /// Valid settings that will not work as their author expects, each with its remedy, by line.
  ///
  /// Does not look at the machine.
  public var warnings: [ConfigurationProblem] {
    inOrder(
      [recordedTrack, sharedReceiver, strayReceiver, idleGates, unplacedCircles, geocoding].compactMap(\.self) + unmetRequirements
        + missingAreas + sharedTopics + leftOutVenues.map { notInForce($0, "the venue is not in use") }
        + leftOutRollout.map { notInForce($0, "the rollout is not in use") })
  }

  /// The maximum number of regions that a warning names one by one.
  private static let named = 4

  private func notInForce(_ problem: ConfigurationProblem, _ effect: String) -> ConfigurationProblem {
    ConfigurationProblem(file: problem.file, line: problem.line, column: problem.column, message: "\(problem.message); \(effect)")
  }

  private func warning(_ line: SourceLine?, _ message: String) -> ConfigurationProblem {
    problem(line, message)
  }

  private var recordedTrack: ConfigurationProblem? {
    guard configuration.location.capture != nil, configuration.source?.playsWalks != true else { return nil }
    return warning(lines.recordedTrack, "location: capture: \(LocationSettings.needsRecording)")
  }

  private var sharedReceiver: ConfigurationProblem? {
    guard configuration.location.gpsd != nil, case .serial(let path, _) = configuration.location.nmea else { return nil }
    return warning(
      lines.receiver, "location: nmea: gpsd uses its receivers exclusively; remove this table, unless gpsd does not use \(path)")
  }

  private var geocoding: ConfigurationProblem? {
    guard let settings = configuration.geocoding else { return nil }
    if configuration.location == LocationSettings(), configuration.venues.isEmpty {
      return warning(lines.geocoding, "geocoding: no location source is configured; add one such as [location.gpsd]")
    }
    guard settings.isUnencrypted else { return nil }
    return warning(lines.geocoding, "geocoding: url: sends rounded locations of this device unencrypted; use https")
  }

  /// The required capabilities that this config itself excludes.
  private var unmetRequirements: [ConfigurationProblem] {
    let location = configuration.location
    let isRecorded =
      switch configuration.source {
      case .capture, .simulator: true
      case nil, .radio, .nothing: false
      }
    return configuration.required.compactMap { capability in
      let advice: String? =
        switch capability {
        case .beacons where configuration.source == .nothing: "source = \"none\" disables scanning; choose another source"
        case .magnetometer where configuration.heading.source == .off:
          "source = \"off\" in [heading] disables the compass; choose another source"
        case .venue where configuration.venues.isEmpty: "no venue is configured; add its file to venues"
        case .gps where !location.hasSatelliteReceiver && !isRecorded:
          "no satellite receiver is configured; add [location.gpsd] or [location.nmea]"
        case .location where location == LocationSettings() && configuration.venues.isEmpty && !isRecorded:
          "no location source is configured; add one such as [location.gpsd]"
        default: nil
        }
      return advice.map { warning(lines.required, "require: \(capability.rawValue): \($0)") }
    }
  }

  private var idleGates: ConfigurationProblem? {
    guard configuration.source == .nothing else { return nil }
    return warning(about: circles { $0.gate != nil }) { circles in
      "\(Self.list(circles)): scan-only-near has no effect with source = \"none\", which disables scanning"
    }
  }

  private var unplacedCircles: ConfigurationProblem? {
    guard let accuracy = configuration.location.typicalAccuracy else {
      return warning(about: circles { _ in true }) {
        "\(Self.list($0)): no location source is configured; add one such as [location.gpsd]"
      }
    }
    return warning(about: circles { $0.circle.radius < 2 * accuracy }) { small in
      "\(Self.list(small)): \(small.count == 1 ? "its radius is" : "their radii are") small for fixes with an accuracy of "
        + "\(Self.metres(accuracy)) m at best; use at least \(Self.metres(2 * accuracy)) m, or a more accurate source"
    }
  }

  /// The targets that publish below the topic of another one.
  ///
  /// The end of either connection makes the entities of both unavailable.
  private var sharedTopics: [ConfigurationProblem] {
    var first: [String: String] = [:]
    return configuration.notifier.targets.compactMap { target in
      guard case .mqtt(let broker) = target.means else { return nil }
      let place = "\(broker.host):\(broker.port) \(broker.topic ?? "")"
      guard let other = first[place] else {
        first[place] = target.name
        return nil
      }
      return warning(
        nil, "target \(target.name.quoted): publishes below the same topic as the target \(other.quoted); give one of them another topic")
    }
  }

  /// The regions whose place or level no venue has. Such a region stays unknown.
  private var missingAreas: [ConfigurationProblem] {
    zip(configuration.regions, lines.regions).compactMap { region, line in
      guard let area = region.placeRegion?.area else { return nil }
      let venues = configuration.venues.filter { area.venue == nil || $0.id == area.venue }
      let (key, id, known) =
        switch area.part {
        case .place(let id): ("place", id, venues.flatMap { $0.places.map(\.id) })
        case .level(let id): ("level", id, venues.flatMap { $0.levels.map(\.id) })
        case .whole: ("venue", area.venue ?? "", venues.map(\.id))
        }
      guard !known.contains(id) else { return nil }
      let place = "region \(region.identifier.quoted)"
      if let venue = area.venue, venues.isEmpty {
        return warning(line, "\(place): venue: no file in venues has the id \(venue.quoted); correct it, or add the file to venues")
      }
      let advice = NearestName.of(id, in: known).map { "did you mean \($0.quoted)?" } ?? "add it to a venue file, and the file to venues"
      return warning(line, "\(place): \(key): no venue has \(id.quoted); \(advice)")
    }
  }

  private typealias PlacedCircle = (region: CircularRegion, line: SourceLine?)

  private func circles(where condition: (CircularRegion) -> Bool) -> [PlacedCircle] {
    zip(configuration.regions, lines.regions).compactMap { region, line in
      region.circularRegion.flatMap { condition($0) ? ($0, line) : nil }
    }
  }

  /// Returns one warning for all circles on the line of the first; nil without circles.
  private func warning(about circles: [PlacedCircle], _ message: ([CircularRegion]) -> String) -> ConfigurationProblem? {
    circles.first.map { warning($0.line, message(circles.map(\.region))) }
  }

  /// Returns the names for a message: `region "shop"`, `regions "shop", "mall" and 12 more`.
  private static func list(_ regions: [CircularRegion]) -> String {
    let names = regions.prefix(named).map { "\"\($0.identifier)\"" }.joined(separator: ", ")
    let more = regions.count > named ? " and \(regions.count - named) more" : ""
    return "region\(regions.count == 1 ? "" : "s") \(names)\(more)"
  }

  private static func metres(_ length: Double) -> Int { Int(length.rounded(.up)) }
}
