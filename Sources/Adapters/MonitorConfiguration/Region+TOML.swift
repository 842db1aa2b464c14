import Regions

extension Region {
  /// A `[[region]]` that is read as this one again. Its owner is not in it.
  public var toml: String {
    switch self {
    case .beacon(let region): region.toml
    case .circle(let region): region.toml
    }
  }
}
