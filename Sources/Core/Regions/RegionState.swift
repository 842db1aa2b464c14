/// Where the device stands in relation to a region.
public enum RegionState: String, Sendable, CaseIterable {
  case unknown
  case inside
  case outside
}
