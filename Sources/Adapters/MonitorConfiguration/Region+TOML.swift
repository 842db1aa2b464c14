import Regions

extension Region {
  /// The `[[region]]` table that reads as this region. It does not contain the owner.
  public var toml: String {
    switch self {
    case .beacon(let region): region.toml
    case .circle(let region): region.toml
    }
  }
}
