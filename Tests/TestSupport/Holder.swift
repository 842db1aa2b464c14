/// Keeps something that a closure must be able to replace or release.
public final class Holder<Value> {
  public var value: Value?

  public init(_ value: Value? = nil) {
    self.value = value
  }
}
