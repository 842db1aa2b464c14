/// The region of the service's config that has the identifier under which a `Monitor` adds this condition; see `ConfiguredRegion`.
///
/// What it is assumed to be does not matter: its state is that of the config's region from the start.
public struct ConfiguredCondition: Condition {
  public init() {}
}
