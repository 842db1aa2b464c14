import Beacons
import HTTPMessages
public import Records
public import Venues

/// The text of venue files, as an editor draws and changes it.
public protocol VenueDrawings {
  /// Returns the drawing of a text as JSON; throws if the text is not TOML.
  func drawing(of text: String) throws(PageRefusal) -> String
  /// Returns the text after edits, each in the form of the page.
  func apply(_ edits: [Record], to text: String) throws(PageRefusal) -> String
}

/// The errors of positions that the places of the beacons permit.
public protocol ErrorMaps: AnyObject {
  /// Completes with nil if the map cannot be computed at present.
  func requestErrors(on plan: PlanReport, _ completion: @escaping (PredictedErrors?) -> Void)
}

/// The predicted errors of the cells of a level.
public struct PredictedErrors: Hashable, Sendable {
  /// The length in metres of a side of a cell.
  public let cell: Double
  /// The lower left corner in metres on the plan.
  public let x: Double
  public let y: Double
  public let columns: Int
  /// The radius in metres that holds 68 % of the positions, row by row from the bottom; nil where no position is possible.
  public let errors: [Double?]

  public init(cell: Double, x: Double, y: Double, columns: Int, errors: [Double?]) {
    (self.cell, self.x, self.y, self.columns, self.errors) = (cell, x, y, columns, errors)
  }

  var json: String {
    let rows = columns > 0 ? errors.count / columns : 0
    let record = Record([
      "cell": .quantity(cell, decimals: 3), "x": .quantity(x, decimals: 3), "y": .quantity(y, decimals: 3),
      "columns": .count(UInt64(columns)), "rows": .count(UInt64(rows)),
    ])
    return "\(record.json.dropLast()),\"errors\":[\(errors.map(JSONNumbers.text).joined(separator: ","))]}"
  }
}

/// The levels of beacons at the places of a survey, as JSON.
struct SurveyMap {
  private let beacons: [Record]
  private let points: [(x: Double, y: Double, levels: [Int: Double])]

  init(_ readings: [SurveyReadingReport]) {
    struct Key: Hashable {
      let uuid: BeaconUUID?
      let major: UInt16?
      let minor: UInt16?
    }
    struct Spot: Hashable {
      let x: Double
      let y: Double
    }
    var (beacons, numbers): ([Record], [Key: Int]) = ([], [:])
    var (points, places): ([(x: Double, y: Double, levels: [Int: Double])], [Spot: Int]) = ([], [:])
    for reading in readings {
      guard let x = reading.x, let y = reading.y, let rssi = reading.rssi else { continue }
      let key = Key(uuid: reading.uuid, major: reading.major, minor: reading.minor)
      let number = numbers[key] ?? beacons.count
      if numbers.updateValue(number, forKey: key) == nil {
        beacons.append(
          Record([
            "uuid": reading.uuid.map(\.recordValue), "major": reading.major.map { .short($0) }, "minor": reading.minor.map { .short($0) },
          ]))
      }
      let place = places[Spot(x: x, y: y)] ?? points.count
      if places.updateValue(place, forKey: Spot(x: x, y: y)) == nil { points.append((x, y, [:])) }
      points[place].levels[number] = rssi
    }
    (self.beacons, self.points) = (beacons, points)
  }

  var isEmpty: Bool { points.isEmpty }

  var json: String {
    let texts = points.map { point in
      let place = Record(["x": .quantity(point.x, decimals: 3), "y": .quantity(point.y, decimals: 3)])
      let levels = beacons.indices.map { JSONNumbers.text(point.levels[$0]) }
      return "\(place.json.dropLast()),\"rssi\":[\(levels.joined(separator: ","))]}"
    }
    return "{\"beacons\":[\(beacons.map(\.json).joined(separator: ","))],\"points\":[\(texts.joined(separator: ","))]}"
  }
}

/// Numbers as JSON, which a record has no lists of.
enum JSONNumbers {
  /// Two decimals, or null.
  static func text(_ number: Double?) -> String {
    guard let number, number.isFinite else { return "null" }
    return Decimal.text(number, decimals: 2) ?? "null"
  }
}
