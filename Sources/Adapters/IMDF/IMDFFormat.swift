/// Names of the Indoor Mapping Data Format 1.0.0 (OGC 20-094), and of this program's extensions of it.
enum IMDFFormat {
  static let version = "1.0.0"
  static let manifest = "manifest.json"

  /// The types of features. Some importers require a file for each of them, even if it is empty.
  static let featureTypes = [
    "address", "amenity", "anchor", "building", "detail", "fixture", "footprint", "geofence", "kiosk", "level", "occupant", "opening",
    "relationship", "section", "unit", "venue",
  ]
  /// The type of features of the extension for beacons.
  static let beacon = "beacon"

  /// The extension with the features of the type `beacon`.
  static let beaconsExtension = "imdf:extension:beaconmon:beacons#"
  /// The extension with the property `beaconmon` of other features.
  static let venueExtension = "imdf:extension:beaconmon:venue#"
  static let extensionVersion = "1.0.0"
  /// The name of the property, whose value is an object.
  static let property = "beaconmon"

  static let suffix = ".geojson"

  /// Returns whether this program reads a file of an archive.
  static func isRead(_ name: String) -> Bool {
    guard name != manifest else { return true }
    guard name.hasSuffix(suffix) else { return false }
    let type = String(name.dropLast(suffix.count))
    return type == beacon || featureTypes.contains(type)
  }

  /// The types without a geometry.
  static let unlocatedTypes: Set = ["address", "building", "occupant", "relationship"]
}
