public import ConfigurationTree
import Geodesy
import TOML
import Venues

/// The tables of a venue file as an editor shows them, valid or not.
///
/// A drawing has the keys of beaconmon-venue(5) as they are written. Each table also has `key`, by which a `VenueEdit` finds it, and the
/// tables of a level have its id, even where the file omits it. Each anchor of a picture has its `residual` in metres.
public struct VenueDrawing: Sendable {
  /// The id of the venue; nil if the text has none.
  public let id: String?
  public let name: ConfigurationNode.Value?
  /// The tables of each kind, in the order of the text.
  public let tables: [VenueTable.Kind: [ConfigurationNode.Value]]

  /// Throws if the text is not TOML.
  public init(_ text: String) throws(VenueEditError) {
    let top: [String: ConfigurationNode]
    do throws(TOMLSyntaxError) { top = try TOMLParser.parse(text) } catch { throw VenueEditError(line: error.line, error.message) }
    if case .text(let id)? = top["id"]?.value { self.id = id } else { id = nil }
    name = top["name"]?.value
    var tables = Dictionary(uniqueKeysWithValues: VenueTable.Kind.allCases.map { ($0, Self.tables(of: $0, in: top)) })
    if tables[.level]?.isEmpty ?? true { tables[.level] = [["id": ConfigurationNode(.text(VenueLevel.defaultID))]] }
    tables[.level] = tables[.level]?.map(Self.withResiduals)
    let only = tables[.level].flatMap { $0.count == 1 ? $0[0]["id"] : nil }
    for kind in [VenueTable.Kind.wall, .beacon, .place, .node] {
      // Only a venue with several levels must say which one.
      if let only { tables[kind] = tables[kind]?.map { $0.merging(["level": only]) { written, _ in written } } }
    }
    self.tables = Dictionary(
      uniqueKeysWithValues: tables.map { kind, tables in
        let keyed = tables.enumerated().map { index, table in
          ConfigurationNode.Value.table(table.merging(["key": ConfigurationNode(.text("\(VenueTable(kind, index))"))]) { $1 })
        }
        return (kind, keyed)
      })
  }

  private static func tables(of kind: VenueTable.Kind, in top: [String: ConfigurationNode]) -> [[String: ConfigurationNode]] {
    guard case .list(let list)? = top[kind.rawValue]?.value else { return [] }
    return list.map { if case .table(let keys) = $0.value { keys } else { [:] } }
  }

  /// Adds the residuals to the anchors of a level, if they have a transform.
  private static func withResiduals(_ level: [String: ConfigurationNode]) -> [String: ConfigurationNode] {
    guard case .list(let anchors)? = level["anchors"]?.value else { return level }
    let points = anchors.compactMap(Self.anchor)
    let isAffine = level["fit"]?.value == .text("affine")
    // An editor also shows anchors that contradict each other. The daemon names that problem when it checks the text.
    guard points.count == anchors.count,
      let transform = try? PlanTransform(anchors: points, yAxis: .down, fit: isAffine ? .affine : .similarity)
    else { return level }
    var level = level
    let marked = zip(anchors, transform.residuals).map { anchor, residual -> ConfigurationNode in
      guard case .table(var keys) = anchor.value else { return anchor }
      keys["residual"] = ConfigurationNode(.number((residual * 1000).rounded() / 1000))
      return ConfigurationNode(.table(keys))
    }
    level["anchors"] = ConfigurationNode(.list(marked))
    return level
  }

  private static func anchor(_ node: ConfigurationNode) -> PlanAnchor? {
    guard case .table(let keys) = node.value, case .list(let pixel)? = keys["pixel"]?.value, pixel.count == 2,
      let x = pixel[0].value.double, let y = pixel[1].value.double, let latitude = keys["latitude"]?.value.double,
      let longitude = keys["longitude"]?.value.double, let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return PlanAnchor(point: PlanPoint(x: x, y: y), coordinate: coordinate)
  }
}

extension ConfigurationNode.Value {
  /// The number, written in either way.
  fileprivate var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
