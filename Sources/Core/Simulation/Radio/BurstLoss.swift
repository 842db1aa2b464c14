import Instants

/// The loss of advertisements on the way to an adapter, single or in bursts.
///
/// The model is that of Gilbert ("Capacity of a Burst-Noise Channel", 1960) and Elliott ("Estimates of Error Rates for Codes on
/// Burst-Noise Channels", 1963). It runs in continuous time, so that the length of a burst does not depend on the beacon's interval. The
/// channel is good or bad for exponentially distributed times.
public struct BurstLoss: Hashable, Sendable {
  /// The share of advertisements that are lost, from 0 to below `burstLoss`.
  public let loss: Double
  /// The mean length of a bad period; nil: losses are independent.
  public let burst: Span?
  /// The share of advertisements that are lost in a bad period: 1 in Gilbert's model, less in Elliott's.
  /// No advertisement is lost in a good period.
  public let burstLoss: Double

  public static let none = BurstLoss(loss: 0, burst: nil)

  /// Creates a loss, limited to just below `burstLoss`, because otherwise no period would be good.
  public init(loss: Double, burst: Span?, burstLoss: Double = 1) {
    self.burstLoss = burstLoss
    self.loss = Swift.min(loss, 0.999 * burstLoss)
    self.burst = burst
  }

  /// The share of time in bad periods.
  var badShare: Double { loss / burstLoss }
}

/// A channel with such losses: from one beacon to one adapter.
struct BurstChannel: Sendable {
  private let model: BurstLoss
  private let meanBad: Double
  private let meanGood: Double
  private var random: RandomStream
  private var isBad: Bool
  /// The end of the present period, in µs since the Unix epoch.
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

  /// Returns whether an advertisement at `time` is lost; times must not decrease.
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
