/// The configured region whose identifier a `Monitor` uses for this condition; see `ConfiguredRegion`.
///
/// The assumed state is ignored, because the config's region supplies the state from the start.
public struct ConfiguredCondition: Condition {
  public init() {}
}
