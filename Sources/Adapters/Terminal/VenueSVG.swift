import Beacons
import IndoorPositioning
public import Surveys
import Venues

/// A level of a venue as an SVG picture, or its map of expected position errors.
public struct VenueSVG {
  private let venue: Venue
  private let level: VenueLevel
  private let languages: [String]
  private let errors: PositionErrorMap?
  private let survey: SurveyReport?

  /// - Parameters:
  ///   - languages: the languages of names, the best one first.
  ///   - errors: the expected position errors of the level, which fill the floor with colours.
  ///   - survey: the report whose measured and recommended places are marked.
  public init(
    _ venue: Venue, _ level: VenueLevel, languages: [String], errors: PositionErrorMap? = nil, survey: SurveyReport? = nil
  ) {
    (self.venue, self.level, self.languages, self.errors, self.survey) = (venue, level, languages, errors, survey)
  }

  /// The margin in metres.
  private static let margin = 1.0
  /// The pixels of a metre.
  private static let scale = 40.0

  /// The document, with a line end.
  public var text: String {
    let bounds = venue.bounds(ofLevel: level.id) ?? PlanBounds(least: PlanPoint(x: 0, y: 0), most: PlanPoint(x: 1, y: 1))
    let (width, height) = (bounds.width + 2 * Self.margin, bounds.height + 2 * Self.margin + legendHeight(bounds.width))
    let name = "\(venue.name(preferring: languages)), \(level.name.text(preferring: languages) ?? level.id)"
    let title = errors == nil ? name : "\(name): expected position error"
    // y points up on the plan and down in the picture.
    let places = venue.places.filter { $0.level == level.id }
    let parts =
      level.walkable.map { polygon($0, "walkable") } + (errors.map(heat) ?? []) + level.voids.map { polygon($0, "void") }
      + places.compactMap { $0.area.map { polygon($0, "area") } }
      + venue.walls.filter { $0.level == level.id }.map(wall) + venue.beacons.filter { $0.level == level.id }.map(beacon)
      + places.map(place) + (survey.map(marks) ?? []) + legend(bounds)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(SVG.number(width * Self.scale))" height="\(SVG.number(height * Self.scale))" \
      viewBox="\(SVG.number(bounds.least.x - Self.margin)) \(SVG.number(-bounds.most.y - Self.margin)) \
      \(SVG.number(width)) \(SVG.number(height))">
      <title>\(SVG.escaped(title))</title>
      <style>
      .walkable { fill: #f4f1ea; stroke: #6b6459; stroke-width: 0.08 }
      .void { fill: #d5cfc2 }
      .area { fill: #dbe8f2; stroke: #4a7ba6; stroke-width: 0.04 }
      .wall { stroke: #3b362f; stroke-width: 0.15 }
      .beacon { fill: #b3541e }
      .place { fill: #1f5f8b }
      text { font: 0.5px sans-serif; fill: #222 }
      .number { font-size: 0.35px; fill: #b3541e }\(errors == nil ? "" : Self.heatStyle)\(survey == nil ? "" : Self.markStyle)
      </style>
      <rect x="\(SVG.number(bounds.least.x - Self.margin))" y="\(SVG.number(-bounds.most.y - Self.margin))" \
      width="\(SVG.number(width))" height="\(SVG.number(height))" fill="#ffffff"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: Surveys

  private static let markStyle =
    "\n      .measured { fill: #1b7a4b; stroke: #ffffff; stroke-width: 0.06 }"
    + "\n      .next { fill: #ffffff; stroke: #1b4f9c; stroke-width: 0.1 }\n      .nextNumber { font-size: 0.5px; fill: #1b4f9c; text-anchor: middle }"
    + "\n      .moved { fill: none; stroke: #b3541e; stroke-width: 0.1; stroke-dasharray: 0.25 0.15 }"

  /// Returns the measured places, the recommended ones with their numbers, and where beacons that seem moved fit better.
  private func marks(_ survey: SurveyReport) -> [String] {
    func here(_ places: [SurveyedPlace]?) -> [(number: Int, x: Double, y: Double)] {
      (places ?? []).enumerated().compactMap { index, place in
        guard place.level == level.id, let x = place.x, let y = place.y else { return nil }
        return (index + 1, x, -y)
      }
    }
    let measured = here(survey.places).map {
      "<circle class=\"measured\" cx=\"\(SVG.number($0.x))\" cy=\"\(SVG.number($0.y))\" r=\"0.25\"/>"
    }
    let next = here(survey.nextPlaces).map { mark in
      "<circle class=\"next\" cx=\"\(SVG.number(mark.x))\" cy=\"\(SVG.number(mark.y))\" r=\"0.4\"/>"
        + "<text class=\"nextNumber\" x=\"\(SVG.number(mark.x))\" y=\"\(SVG.number(mark.y + 0.18))\">\(mark.number)</text>"
    }
    let moved = (survey.beacons ?? []).compactMap { beacon -> String? in
      guard let place = beacon.placedAt, place.level == level.id, let x = place.x, let y = place.y, let identity = beacon.identity,
        let planned = venue.beacons.first(where: { $0.identity == identity })?.position
      else { return nil }
      return
        "<line class=\"moved\" x1=\"\(SVG.number(planned.x))\" y1=\"\(SVG.number(-planned.y))\" x2=\"\(SVG.number(x))\" y2=\"\(SVG.number(-y))\"/>"
        + "<circle class=\"moved\" cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(-y))\" r=\"0.3\"/>"
    }
    return measured + next + moved
  }

  // MARK: Errors

  /// The radii in metres up to which a cell has a colour, from light to dark.
  /// ColorBrewer's YlOrRd, which colour-blind readers can tell apart.
  private static let steps: [(most: Double, color: String)] = [
    (1.5, "#ffffcc"), (2, "#ffeda0"), (2.5, "#fed976"), (3, "#feb24c"), (4, "#fd8d3c"), (5, "#fc4e2a"), (6, "#e31a1c"), (8, "#b10026"),
  ]
  /// The colour of a place where the radius is larger, or there is no position.
  private static let none = "#777777"

  private static var heatStyle: String {
    (steps.map(\.color) + [none]).enumerated().map { "\n      .e\($0.offset) { fill: \($0.element) }" }.joined()
      + "\n      .area { fill: none }\n      .beacon { stroke: #ffffff; stroke-width: 0.06 }"
  }

  private static func step(_ radius: Double?) -> Int {
    radius.flatMap { radius in steps.firstIndex { radius <= $0.most } } ?? steps.count
  }

  /// Returns the cells, of which neighbours in a row with one colour are one rectangle.
  private func heat(_ map: PositionErrorMap) -> [String] {
    let size = map.cellSize
    var runs: [(x: Double, y: Double, count: Int, step: Int)] = []
    for cell in map.cells {
      let step = Self.step(cell.radius)
      if let last = runs.last, last.y == cell.point.y, last.step == step, abs(last.x + Double(last.count) * size - cell.point.x) < size / 2
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((cell.point.x, cell.point.y, 1, step))
      }
    }
    return runs.map { run in
      "<rect class=\"e\(run.step)\" x=\"\(SVG.number(run.x - size / 2))\" y=\"\(SVG.number(-run.y - size / 2))\" "
        + "width=\"\(SVG.number(Double(run.count) * size))\" height=\"\(SVG.number(size))\" shape-rendering=\"crispEdges\"/>"
    }
  }

  /// The height of a line of the legend in metres of the plan, so that it is readable on a plan of any size.
  private func line(_ width: Double) -> Double { max(0.6, width / 40) }

  private func legendHeight(_ width: Double) -> Double { errors == nil ? 0 : 4 * line(width) }

  /// Returns the colours and their radii below the plan.
  private func legend(_ bounds: PlanBounds) -> [String] {
    guard let errors else { return [] }
    let line = line(bounds.width)
    let top = -bounds.least.y + Self.margin
    let step = bounds.width / Double(Self.steps.count + 1)
    func text(_ x: Double, _ y: Double, _ content: String) -> String {
      let size = SVG.number(line * 0.7)
      return "<text x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\" style=\"font-size: \(size)px\">\(SVG.escaped(content))</text>"
    }
    var parts = [text(bounds.least.x, top + 0.6 * line, "Expected error: two thirds of the positions are closer to the truth than")]
    for index in 0...Self.steps.count {
      let x = bounds.least.x + Double(index) * step
      let label = index < Self.steps.count ? "\(SVG.number(Self.steps[index].most)) m" : "more, none"
      parts.append(
        "<rect class=\"e\(index)\" x=\"\(SVG.number(x))\" y=\"\(SVG.number(top + line))\" width=\"\(SVG.number(step))\" "
          + "height=\"\(SVG.number(line))\" stroke=\"#6b6459\" stroke-width=\"0.03\"/>")
      parts.append(text(x + 0.1 * line, top + 2.8 * line, label))
    }
    if let promise = venue.accuracy {
      let share =
        errors.failure(of: promise).map { "\(SVG.number(($0.share * 1000).rounded() / 10)) % of the floor breaks it" } ?? "kept everywhere"
      parts.append(text(bounds.least.x, top + 3.8 * line, "Promised: \(SVG.number(promise)) m, \(share)"))
    }
    return parts
  }

  private func polygon(_ polygon: PlanPolygon, _ kind: String) -> String {
    "<polygon class=\"\(kind)\" points=\"\(polygon.ring.map { "\(SVG.number($0.x)),\(SVG.number(-$0.y))" }.joined(separator: " "))\"/>"
  }

  private func wall(_ wall: VenueWall) -> String {
    "<line class=\"wall\" x1=\"\(SVG.number(wall.from.x))\" y1=\"\(SVG.number(-wall.from.y))\" x2=\"\(SVG.number(wall.to.x))\" "
      + "y2=\"\(SVG.number(-wall.to.y))\"><title>\(SVG.number(wall.attenuation)) dB</title></line>"
  }

  private func beacon(_ beacon: PlannedBeacon) -> String {
    let (x, y) = (beacon.position.x, -beacon.position.y)
    return "<circle class=\"beacon\" cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y))\" r=\"0.18\"/>"
      + "<text class=\"number\" x=\"\(SVG.number(x + 0.25))\" y=\"\(SVG.number(y - 0.2))\">\(beacon.identity.major)/\(beacon.identity.minor)</text>"
  }

  private func place(_ place: Place) -> String {
    let (x, y) = (place.position.x, -place.position.y)
    return "<circle class=\"place\" cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y))\" r=\"0.1\"/>"
      + "<text x=\"\(SVG.number(x + 0.25))\" y=\"\(SVG.number(y + 0.45))\">\(SVG.escaped(place.name(preferring: languages)))</text>"
  }
}
