import Instants

/// How advertisements are lost on the way to an adapter: one by one, or in bursts.
///
/// The model of Gilbert ("Capacity of a Burst-Noise Channel", 1960) and Elliott ("Estimates of Error Rates for Codes on Burst-Noise Channels", 1963) in
/// continuous time, so that a burst is as long whatever the beacon's interval: the channel is good or bad for exponentially distributed times.
public struct BurstLoss: Hashable, Sendable {
  /// The share of all advertisements that are lost, 0 to below `burstLoss`.
  public let loss: Double
  /// The mean length of a bad time. Nil: each advertisement is lost by itself.
  public let burst: Span?
  /// The share that is lost in a bad time: 1 in Gilbert's model, less in Elliott's. In a good time nothing is lost.
  public let burstLoss: Double

  public static let none = BurstLoss(loss: 0, burst: nil)

  /// A loss that is not below `burstLoss` is held there: no time would be good.
  public init(loss: Double, burst: Span?, burstLoss: Double = 1) {
    self.burstLoss = burstLoss
    self.loss = Swift.min(loss, 0.999 * burstLoss)
    self.burst = burst
  }

  /// The share of time that is bad.
  var badShare: Double { loss / burstLoss }
}

/// One channel of that kind: a beacon's way to one adapter.
struct BurstChannel: Sendable {
  private let model: BurstLoss
  private let meanBad: Double
  private let meanGood: Double
  private var random: RandomStream
  private var isBad: Bool
  /// When the present time of one kind ends, in µs since the Unix epoch.
  private var end: Double

  init(_ model: BurstLoss, _ random: RandomStream, from start: Instant) {
    self.model = model
    self.random = random
    meanBad = Double(model.burst?.microseconds ?? 0)
    meanGood = model.loss > 0 ? meanBad * (1 - model.badShare) / model.badShare : .infinity
    isBad = self.random.happens(model.badShare)
    end = Double(start.microseconds)
    if model.burst != nil && model.loss > 0 { end += self.random.exponential(mean: isBad ? meanBad : meanGood) }
  }

  /// Whether an advertisement at `time` is lost; times must not decrease.
  mutating func loses(at time: Instant) -> Bool {
    guard model.loss > 0 else { return false }
    guard model.burst != nil else { return random.happens(model.loss) }
    while end <= Double(time.microseconds) {
      isBad.toggle()
      end += random.exponential(mean: isBad ? meanBad : meanGood)
    }
    return isBad && (model.burstLoss == 1 || random.happens(model.burstLoss))
  }
}
