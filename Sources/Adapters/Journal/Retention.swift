import Instants

/// The maximum age of events, and the maximum size of their file.
public struct Retention: Hashable, Sendable {
  public var age: Span
  /// The size of the file in octets, above which the oldest events are deleted.
  public var size: Int

  public init(age: Span, size: Int) {
    self.age = age
    self.size = size
  }
}
