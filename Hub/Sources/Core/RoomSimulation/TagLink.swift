import RealModule
import Seeds

/// The radio link from a tag to a device, and the device's filter of it.
struct TagLink {
  /// The mean level at the present place, with the device's offset.
  var mean = -200.0
  /// The cosine of the bearing of the device, for the body of the bearer.
  var bearing = 0.0
  /// The fades of the three advertising channels in dB, which change with each packet of a moving tag.
  private var fades = (0.0, 0.0, 0.0)
  private var slow = 0.0
  private var slowTime = -1.0
  /// The level that the device has filtered, and the time of the last packet; nil before the first.
  private(set) var level = 0.0
  private(set) var last: Double?

  /// The time constant of slow fading in seconds.
  private static let slowFadingTime = 60.0
  /// The seconds after which the fades of a still tag change.
  private static let stillTime = 300.0
  /// The time constant of the filter of a device in seconds (Docs/guides/tuning.md).
  private static let filterTime = 2.0

  mutating func fade(isMoving: Bool, setting: RoomSetting, at time: Double, _ random: inout SeededGenerator) {
    if slowTime < 0 {
      slow = setting.slowFading * random.normal()
      slowTime = time
      for channel in 0..<3 { refresh(channel, &random) }
    } else if time - slowTime >= 2 {
      let kept = Double.exp(-(time - slowTime) / Self.slowFadingTime)
      slow = slow * kept + setting.slowFading * (1 - kept * kept).squareRoot() * random.normal()
      slowTime = time
    }
    let changes = isMoving || Double.random(in: 0..<1, using: &random) < 0.5 / Self.stillTime
    if changes { refresh(Int.random(in: 0..<3, using: &random), &random) }
  }

  /// Rician fading with a factor of 2, which deviates by 4.4 dB.
  private mutating func refresh(_ channel: Int, _ random: inout SeededGenerator) {
    let (direct, scattered) = ((2.0 / 3).squareRoot(), (0.5 / 3).squareRoot())
    let (real, imaginary) = (direct + scattered * random.normal(), scattered * random.normal())
    let fade = Swift.max(-30, 10 * Double.log10(real * real + imaginary * imaginary))
    switch channel {
    case 0: fades.0 = fade
    case 1: fades.1 = fade
    default: fades.2 = fade
    }
  }

  /// Receives a packet, unless it is lost, and filters its level.
  mutating func receive(at time: Double, body: Double, _ random: inout SeededGenerator) {
    // A fifth is lost: a device scans one channel at a time, and packets collide.
    guard Double.random(in: 0..<1, using: &random) > 0.2 else { return }
    let fade = [fades.0, fades.1, fades.2][Int.random(in: 0..<3, using: &random)]
    let received = (mean + slow + fade - body).rounded()
    guard received > SiteRadio.sensitivity else { return }
    if let last, time - last < 30 {
      level += (1 - Double.exp(-(time - last) / Self.filterTime)) * (received - level)
    } else {
      level = received
    }
    last = time
  }

  mutating func forget() { last = nil }
}
