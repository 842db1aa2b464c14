extension RecordField {
  /// Creates a field of a direction in degrees clockwise from north.
  ///
  /// It is written as 0 to below 360, after it is rounded to this number of decimals.
  public init(direction key: String, _ path: any WritableKeyPath<Whole, Double?> & Sendable, decimals: Int) {
    self.init(key, path, decimals: decimals) { $0.direction(decimals: decimals) }
  }
}

extension Double {
  /// Returns a direction in degrees as 0 to below 360, rounded to this number of decimals.
  ///
  /// A number that is not finite stays as it is.
  public func direction(decimals: Int) -> Double {
    guard isFinite else { return self }
    let scale = (0..<decimals).reduce(1.0) { scale, _ in 10 * scale }
    // The whole turn is exact, and an angle that rounds to it is 0.
    let turn = (truncatingRemainder(dividingBy: 360) * scale).rounded().truncatingRemainder(dividingBy: 360 * scale)
    // The sum with zero has no negative zero.
    return (turn < 0 ? turn + 360 * scale : turn + 0) / scale
  }
}
