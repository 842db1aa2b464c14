/// What a `Monitor` watches. Core Location's CLCondition.
public protocol Condition: Hashable, Sendable {}
