/// A condition that a `Monitor` watches. Core Location's CLCondition.
public protocol Condition: Hashable, Sendable {}
