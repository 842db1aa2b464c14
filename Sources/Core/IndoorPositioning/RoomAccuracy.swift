/// The accuracy of a fix.
public enum RoomAccuracy {
  /// The radius with 68 % of a normal distribution in the plane, in multiples of the deviation along an axis: √(−2 ln 0.32).
  static let radiusPerDeviation = 1.5096

  /// Returns one standard deviation along each axis in metres, for a radius that holds 68 % of the positions.
  public static func deviation(ofRadius radius: Double) -> Double { radius / radiusPerDeviation }

  /// Returns the radius in metres that holds 68 % of the positions.
  ///
  /// The radius of the probability alone is right only with twelve transmitters, and is late for a moving visitor.
  ///
  /// - Parameters:
  ///   - radius: the radius that holds 68 % of the probability.
  ///   - displacement: the distance in metres from the position five seconds ago.
  ///   - heard: the number of transmitters that were heard within three seconds.
  ///   - levelDeviation: the standard deviation in dB of the adapter's level, which shifts all distances alike.
  public static func metres(radius: Double, displacement: Double, heard: Int, levelDeviation: Double = 0) -> Double {
    let lag = 1.5 * displacement / 5
    let position = max(1, 2.9 - 0.22 * Double(heard)) * (radius * radius + lag * lag).squareRoot()
    let shift = metresPerDecibel * levelDeviation
    return (position * position + shift * shift).squareRoot()
  }

  /// The error in metres of the position on the gallery walks for each dB by which the level is wrong.
  private static let metresPerDecibel = 0.75
}
