public import Records
public import Venues

/// A level of a site as the page of the hub draws it.
///
/// Names are in all their languages, because each reader has another one.
public struct SiteLevelReport: RecordRepresentable, Hashable {
  /// The part that a plan of a device's page has as well.
  public var plan = PlanReport()
  public var names: [LanguageTextReport]?
  public var places: [SitePlaceReport]?

  public init() {}

  public static let fields: [RecordField<Self>] =
    PlanReport.fields.map { $0.of(\.plan) } + [
      RecordField("names", \.names),
      RecordField("places", \.places),
    ]
}

/// A place on a level of a site.
public struct SitePlaceReport: RecordRepresentable, Hashable {
  public var id: String?
  public var kind: Place.Kind?
  public var names: [LanguageTextReport]?
  /// The names of a room that is this place.
  public var rooms: [RoomNameReport]?
  public var x: Double?
  public var y: Double?
  /// Metres; nil for a place with an area.
  public var radius: Double?
  /// The outline of its area.
  public var area: [PointReport]?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("id", \.id),
    RecordField("kind", \.kind),
    RecordField("names", \.names),
    RecordField("rooms", \.rooms),
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("radius", \.radius, decimals: 2),
    RecordField("area", \.area),
  ]
}

/// A text in one language.
public struct LanguageTextReport: RecordRepresentable, Hashable {
  public var language: String?
  public var text: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [RecordField("language", \.language), RecordField("text", \.text)]
}

/// A name by which a room is found.
public struct RoomNameReport: RecordRepresentable, Hashable {
  public var name: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [RecordField("name", \.name)]
}
