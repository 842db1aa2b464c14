import RealModule

extension RoomFilter {
  /// Returns the mean of the decadic logarithm of the distance, the predicted level in dBm, and its variance in dB².
  ///
  /// The level is the prediction of the plan without any correction.
  func expectation(of transmitter: Int) -> (logarithm: Double, level: Double, variance: Double) {
    let moments = logarithmicMoments(of: transmitter, least: Likelihood.leastLogarithm)
    let factor = Likelihood.slopePerExponent / 10
    let logarithm = moments.first * factor
    let variance = max(0, moments.second - moments.first * moments.first) * factor * factor
    let (power, exponent) =
      survey.map { ($0.powers[transmitter], $0.exponent) } ?? (model.transmitters[transmitter].power, Likelihood.exponent)
    let own = model.places[transmitter].level
    var level = power - 10 * exponent * logarithm
    if model.levels.count > 1 {
      for (index, probability) in levelProbabilities().enumerated() {
        level -= probability * Likelihood.floorAttenuation * Double(abs(index - own))
      }
    }
    if let survey {
      for (slot, tile) in live.enumerated() {
        guard let offset = survey.field(of: transmitter, tile: Int(tile)) else { continue }
        for cell in 0..<RoomGrid.area { level += Double(cells[slot * RoomGrid.area + cell] * survey.fields[offset + cell]) }
      }
    }
    return (logarithm, level, variance * 100 * exponent * exponent)
  }
}
