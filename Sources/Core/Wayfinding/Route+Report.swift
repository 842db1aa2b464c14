import Geodesy
import Instants
import Records
public import RouteReports
public import Venues

extension Route {
  /// Returns the route in the reader's language.
  public func report(in network: WayNetwork, languages: [String], isMetric: Bool = true) -> RouteReport {
    let venue = network.venue
    let text = RouteText(network, languages: languages, isMetric: isMetric)
    let steps = manoeuvres(in: network)
    var report = RouteReport()
    report.venue = venue.id
    report.place = destination.index.map { venue.places[$0].id }
    report.title = destination.index.map { venue.places[$0].name(preferring: languages) }
    (report.length, report.time) = (length, time.seconds)
    (report.isAccessible, report.startAccuracy) = (isAccessible, startAccuracy)
    if startShift > 0 { (report.startShift, report.note) = (startShift, text.startMoved(by: startShift)) }
    report.summary = text.summary(self)
    report.steps = zip(steps, text.sentences(steps, to: destination.index)).map { RouteStepReport($0, text: $1, venue) }
    report.points = vertices.enumerated().map { number, vertex in
      var point = RoutePointReport()
      (point.x, point.y) = (vertex.place.point.x, vertex.place.point.y)
      (point.level, point.floor) = (venue.levels[vertex.place.level].id, Int64(venue.levels[vertex.place.level].ordinal))
      if let coordinate = venue.frame?.coordinate(for: vertex.place.point) {
        (point.latitude, point.longitude) = (coordinate.latitude, coordinate.longitude)
      }
      (point.node, point.mode) = (vertex.node, number < legs.count ? legs[number].mode.rawValue : nil)
      return point
    }
    return report
  }

  /// Returns the route as a FeatureCollection (RFC 7946): lines and points.
  ///
  /// It has a line for each part on one level or between two, and a point for each step.
  /// Nil if the location of the venue on the earth is unknown.
  public func geoJSON(in network: WayNetwork, languages: [String], isMetric: Bool = true) -> String? {
    guard let frame = network.venue.frame else { return nil }
    let report = report(in: network, languages: languages, isMetric: isMetric)
    func position(_ point: PlanPoint) -> String? {
      guard let coordinate = frame.coordinate(for: point), let x = Decimal.text(coordinate.longitude, decimals: 7),
        let y = Decimal.text(coordinate.latitude, decimals: 7)
      else { return nil }
      return "[\(x),\(y)]"
    }
    var features: [String] = []
    var first = 0
    while first < legs.count {
      var last = first
      while last + 1 < legs.count, legs[last + 1].mode == legs[first].mode, vertices[last + 1].place.level == vertices[first].place.level,
        vertices[last + 2].place.level == vertices[first].place.level
      {
        last += 1
      }
      let points = vertices[first...last + 1].compactMap { position($0.place.point) }
      let level = network.venue.levels[vertices[first].place.level]
      let metres = legs[first...last].reduce(0) { $0 + $1.length }
      let seconds = legs[first...last].reduce(0) { $0 + $1.time.seconds }
      let properties = Record([
        "feature": .text("leg"), "mode": .text(legs[first].mode.rawValue), "level": .text(level.id),
        "floor": .integer(Int64(level.ordinal)),
        "length": .quantity(metres, decimals: 1), "time": .quantity(seconds, decimals: 1),
      ])
      features.append(
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(points.joined(separator: ","))]},"
          + "\"properties\":\(properties.json)}")
      first = last + 1
    }
    for (step, manoeuvre) in zip(report.steps ?? [], manoeuvres(in: network)) {
      guard let point = position(manoeuvre.place.point) else { continue }
      var properties = Record(["feature": .text("step")])
      for (key, value) in step.record.fields { properties.append(key, value) }
      features.append(
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":\(point)},\"properties\":\(properties.json)}")
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
  }
}

extension RouteStepReport {
  /// - Parameter text: the sentence in the reader's language.
  public init(_ manoeuvre: Manoeuvre, text: String, _ venue: Venue) {
    self.init()
    self.text = text
    (offset, length) = (manoeuvre.offset, manoeuvre.length)
    landmark = manoeuvre.landmark.map { venue.places[$0].id }
    var level = manoeuvre.place.level
    switch manoeuvre.kind {
    case .start(let turn):
      kind = "start"
      (side, sharpness) = (turn?.side.rawValue, turn?.sharpness.rawValue)
    case .straight: kind = "straight"
    case .turn(let turn):
      kind = "turn"
      (side, sharpness) = (turn.side.rawValue, turn.sharpness.rawValue)
    case .door: kind = "door"
    case .changeLevel(let mode, _, let to):
      (kind, self.mode) = ("changeLevel", mode.rawValue)
      (side, sharpness) = (manoeuvre.entry?.side.rawValue, manoeuvre.entry?.sharpness.rawValue)
      level = to
    case .proceed: kind = "proceed"
    case .passLandmark(let side):
      kind = "passLandmark"
      self.side = side.rawValue
    case .arrive(let side):
      kind = "arrive"
      self.side = side?.rawValue
    }
    (self.level, floor) = (venue.levels[level].id, Int64(venue.levels[level].ordinal))
  }
}
