import DBus
import Geodesy
import Guidance
import Instants
import MonitorProtocol
import Venues
import Wayfinding

/// The options of a client's guidance or route, `a{sv}`.
struct GuidanceOptions {
  private let options: DBusValue
  /// The languages of the daemon.
  private let languages: [String]

  private static let destination = ["place", "venue", "level", "x", "y", "latitude", "longitude"]
  private static let start = ["fromPlace", "fromLevel", "fromX", "fromY", "fromLatitude", "fromLongitude"]
  private static let common = ["accessible", "speed", "locale", "imperial"]
  static let keysOfGuidance = destination + ["radius"] + common
  static let keysOfRoute = destination + start + ["timeout"] + common

  private static let types: [String: OptionType] = [
    "place": .string, "venue": .string, "level": .string, "x": .number, "y": .number, "latitude": .number, "longitude": .number,
    "fromPlace": .string, "fromLevel": .string, "fromX": .number, "fromY": .number, "fromLatitude": .number, "fromLongitude": .number,
    "accessible": .flag, "speed": .number, "radius": .number, "locale": .string, "imperial": .flag, "timeout": .string,
  ]

  /// Throws `InvalidOptions` for an unknown key and `InvalidArgs` for a value of another type.
  init(_ options: DBusValue, _ method: String, keys: [String], languages: [String]) throws(DBusError) {
    try OptionType.check(options, Self.types, keys: keys, of: method)
    (self.options, self.languages) = (options, languages)
  }

  func guidance() throws(DBusError) -> GuidanceRequest {
    var request = GuidanceRequest(
      try destination(), profile: try profile(), languages: preferredLanguages, isMetric: isMetric)
    if let radius = options["radius"]?.number {
      guard GuidanceRequest.radii.contains(radius) else { throw Self.invalid("radius must be from 1 to 1000 metres") }
      request.radius = radius
    }
    return request
  }

  func query() throws(DBusError) -> RouteQuery {
    RouteQuery(
      to: try destination(), from: try start(), profile: try profile(), languages: preferredLanguages, isMetric: isMetric)
  }

  private static let timeouts = Span.milliseconds(100)...Span.seconds(600)

  /// Returns `timeout`, a duration in the syntax of the config, from 100 ms to 600 s; defaults to 30 s.
  func timeout() throws(DBusError) -> Span {
    guard let value = options["timeout"] else { return .seconds(30) }
    guard let span = value.string.flatMap(Span.init(text:)), Self.timeouts.contains(span) else {
      throw Self.invalid("timeout must be a duration from 100ms to 600s, such as \"30s\"")
    }
    return span
  }

  private var preferredLanguages: [String] {
    (options["locale"]?.string.map { LocalizedText.languages(ofLocale: String($0.prefix(Self.mostLocale))) } ?? []) + languages
  }
  private static let mostLocale = 256

  private var isMetric: Bool { options["imperial"]?.boolean != true }

  private func profile() throws(DBusError) -> RouteProfile {
    var profile = options["accessible"]?.boolean == true ? RouteProfile.accessible : .shortest
    if let speed = options["speed"]?.number {
      guard GuidanceRequest.speeds.contains(speed) else { throw Self.invalid("speed must be from 0.1 to 5 metres a second") }
      profile.speed = speed
    }
    return profile
  }

  // MARK: Places

  private func destination() throws(DBusError) -> GuidanceDestination {
    let level = options["level"]?.string
    guard let goal = try goal(options["place"]?.string, level, "x", "y", "latitude", "longitude") ?? level.map({ .level($0) }) else {
      throw Self.invalid("the destination is missing; give place, level, x and y, or latitude and longitude")
    }
    return GuidanceDestination(goal, venue: options["venue"]?.string)
  }

  private func start() throws(DBusError) -> GuidanceDestination? {
    let level = options["fromLevel"]?.string
    if let goal = try goal(options["fromPlace"]?.string, level, "fromX", "fromY", "fromLatitude", "fromLongitude") {
      return GuidanceDestination(goal, venue: options["venue"]?.string)
    }
    guard level == nil else { throw Self.invalid("fromLevel needs fromX and fromY, or fromLatitude and fromLongitude") }
    return nil
  }

  private func goal(
    _ place: String?, _ level: String?, _ x: String, _ y: String, _ latitude: String, _ longitude: String
  ) throws(DBusError) -> GuidanceDestination.Goal? {
    let plan = try pair(x, y)
    let earth = try pair(latitude, longitude)
    guard [place != nil, plan != nil, earth != nil].count(where: \.self) <= 1 else {
      throw Self.invalid("there are several places; give a place, \(x) and \(y), or \(latitude) and \(longitude)")
    }
    if let place {
      guard level == nil else { throw Self.invalid("a place has a level of its own; leave the level out, or give \(x) and \(y)") }
      return .place(place)
    }
    if let plan { return .plan(PlanPoint(x: plan.0, y: plan.1), level: level) }
    guard let earth else { return nil }
    guard abs(earth.1) <= 180, let coordinate = Coordinate(latitude: earth.0, longitude: earth.1) else {
      throw Self.invalid("\(latitude) must be from -90 to 90, and \(longitude) from -180 to 180")
    }
    return .earth(coordinate, level: level)
  }

  private func pair(_ first: String, _ second: String) throws(DBusError) -> (Double, Double)? {
    switch (options[first]?.number, options[second]?.number) {
    case (let a?, let b?):
      guard a.isFinite, b.isFinite else { throw Self.invalid("\(first) and \(second) must be finite") }
      return (a, b)
    case (nil, nil): return nil
    default: throw Self.invalid("\(first) and \(second) belong together")
    }
  }

  private static func invalid(_ message: String) -> DBusError { .monitor(.invalidOptions, message) }
}
