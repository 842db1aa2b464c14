import RealModule

/// Detects that the receiver has left the building, by the level of the loudest transmitter.
struct PresenceDetector: Sendable {
  /// The fading in dB below the level at the covering radius.
  private static let fading = 8.0
  /// The dB above the limit at which the receiver is inside again.
  private static let hysteresis = 4.0
  private static let (secondsOut, secondsIn) = (5, 3)

  /// The level in dBm below which the receiver is outside.
  private let limit: Double
  private var isOutside = false
  private var seconds = 0

  init(_ model: RoomModel) {
    let powers = model.transmitters.map(\.power).sorted()
    limit = powers[powers.count / 2] - 20 * Double.log10(max(1, model.coveringRadius)) - Self.fading
  }

  /// Adds another second; silence changes nothing.
  mutating func isInside(loudest: Double?) -> Bool {
    guard let loudest else { return !isOutside }
    let isDifferent = isOutside ? loudest > limit + Self.hysteresis : loudest < limit
    seconds = isDifferent ? seconds + 1 : 0
    if seconds >= (isOutside ? Self.secondsIn : Self.secondsOut) {
      isOutside.toggle()
      seconds = 0
    }
    return !isOutside
  }
}

/// Detects a wrong level or plan: the loudest transmitter must be near.
///
/// Likelihood and residuals do not show such an error. On the gallery walks, the median distance exceeds 5 m in 71 % of the windows with a
/// receiver that is 6 dB too weak, and in at most 10 % with a right one.
struct ConsistencyCheck: Sendable {
  private static let window = 30
  private static let limit = 5.0
  /// The limit in multiples of the mean distance to the nearest transmitter.
  ///
  /// It applies in buildings with fewer transmitters than the gallery.
  private static let limitPerRadius = 1.9

  private let limit: Double
  private var distances: [Double] = []

  init(_ model: RoomModel) {
    limit = max(Self.limit, Self.limitPerRadius * model.meanRadius)
  }

  /// Adds the distance in metres to the loudest transmitter, and returns whether the median of the last 30 s is plausible.
  mutating func add(_ distance: Double?) -> Bool {
    if let distance { distances.append(distance) }
    if distances.count > Self.window { distances.removeFirst() }
    return distances.count < Self.window || distances.sorted()[Self.window / 2] <= limit
  }
}
