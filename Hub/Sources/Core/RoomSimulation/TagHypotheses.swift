import RealModule
import Seeds

/// A Rao-Blackwellised particle filter of one tag (Doucet et al., 2000) that knows the site.
///
/// Each hypothesis has a walk, and for each device the filtered mean level and a Kalman filter of its error.
struct TagHypotheses {
  private let map: SiteMap
  private let setting: RoomSetting
  private var walks: [WalkHypothesis]
  private var links: [Link]
  /// The logarithms of the weights, and the likelihoods since the last `normalize`.
  private var weights: [Float]
  private var likelihoods: [Double]
  /// The rooms of each hypothesis in the last eight seconds, of which the lowest octet is the newest.
  private var rooms: [UInt64]
  private var random: SeededGenerator

  /// Eight devices as one hypothesis sees them: the filtered mean level, the error of the levels, and its variance.
  private struct Link {
    var level: SIMD8<Float>
    var error: SIMD8<Float>
    var variance: SIMD8<Float>
  }

  /// The factor by which departures are tried more often than they happen.
  private static let boost: Float = 4
  /// The exponent of likelihoods, because their errors are not independent.
  private static let temper: Float = 0.6
  /// The exponent of the weights by which hypotheses are copied, so that unlikely ones remain.
  private static let copyExponent: Float = 0.5
  /// The share of resting hypotheses that try another place of their room after copying.
  private static let moveShare: Float = 0.3
  /// A mean level that no device hears. Those below it are alike.
  private static let inaudible: Float = -103

  init(_ map: SiteMap, _ setting: RoomSetting, count: Int, seed: UInt64) {
    (self.map, self.setting) = (map, setting)
    var random = SeededGenerator(seed: seed)
    walks = (0..<count).map { _ in WalkHypothesis(in: map, &random) }
    self.random = random
    weights = Array(repeating: 0, count: count)
    likelihoods = Array(repeating: 1, count: count)
    rooms = walks.map { UInt64($0.room) &* 0x0101_0101_0101_0101 }
    links = []
    for walk in walks {
      let index = map.index(walk.place, floor: walk.floor)
      for group in 0..<map.groups {
        let level = map.level(index + group, facing: walk.facing, body: Float(setting.body))
        links.append(Link(level: level, error: .zero, variance: SIMD8(repeating: LinkModel.slowVariance + LinkModel.fadeVariance)))
      }
    }
  }

  /// Advances all hypotheses by a second.
  mutating func advance(to time: Float) {
    let (share, fades) = (LinkModel.slowShare, LinkModel.fadeVariance)
    for index in walks.indices {
      let wasWalking = walks[index].isWalking
      let factor = walks[index].advance(to: time, meanStay: Float(setting.stay), boost: Self.boost, map: map, &random)
      if factor != 1 { weights[index] += .log(factor) }
      let walk = walks[index]
      let kept = walk.isWalking ? LinkModel.keptInWalk : LinkModel.keptInStay
      let added = (LinkModel.slowVariance + (walk.isWalking ? 0 : fades)) * (1 - kept * kept)
      let first = map.index(walk.place, floor: walk.floor)
      for group in 0..<map.groups {
        var link = links[index * map.groups + group]
        if walk.isWalking && !wasWalking {
          link.error *= share
          link.variance = link.variance * (share * share) + share * fades
        } else if !walk.isWalking && wasWalking {
          link.variance += fades
        }
        link.level += (map.level(first + group, facing: walk.facing, body: Float(setting.body)) - link.level) * LinkModel.gain
        link.error *= kept
        link.variance = link.variance * (kept * kept) + added
        links[index * map.groups + group] = link
      }
    }
  }

  /// Takes the level of the tag in a digest, some seconds after the digest before.
  mutating func hear(_ level: Float, device: Int, interval: Float) {
    let (group, lane) = (device / 8, device % 8)
    let (restNoise, walkNoise) = (
      LinkModel.noise(isWalking: false, interval: interval), LinkModel.noise(isWalking: true, interval: interval)
    )
    for index in walks.indices {
      let entry = index * map.groups + group
      let variance = links[entry].variance[lane]
      let expected = LinkModel.level(of: links[entry].level[lane] + links[entry].error[lane] + LinkModel.bias)
      let difference = level - expected.level
      let spread = expected.slope * expected.slope * variance + (walks[index].isWalking ? walkNoise : restNoise)
      likelihoods[index] *= Double(Float.exp(-difference * difference / (2 * spread)) / spread.squareRoot() + LinkModel.outlier)
      let gain = expected.slope * variance / spread
      links[entry].error[lane] += gain * Swift.max(-15, Swift.min(15, difference))
      links[entry].variance[lane] *= 1 - expected.slope * gain
    }
  }

  /// Takes a digest without the tag. `table` is one of `LinkModel.silence`, and `limit` its limit.
  mutating func miss(device: Int, table: [Float], limit: Float) {
    let (group, lane) = (device / 8, device % 8)
    for index in walks.indices {
      let entry = index * map.groups + group
      let mean = links[entry].level[lane] + links[entry].error[lane] + LinkModel.bias
      guard mean > limit - 10 else { continue }
      // The moments by three nodes of Gauss and Hermite.
      let step = (3 * links[entry].variance[lane]).squareRoot()
      let (above, below) = (LinkModel.entry(table, mean + step) / 6, LinkModel.entry(table, mean - step) / 6)
      let sum = LinkModel.entry(table, mean) * 2 / 3 + above + below
      likelihoods[index] *= Double(sum)
      let shift = step * (above - below) / sum
      links[entry].error[lane] += shift
      links[entry].variance[lane] = Swift.max(0.5, step * step * (above + below) / sum - shift * shift)
    }
  }

  /// Ends a second: normalizes the weights, copies likely hypotheses, and notes the rooms.
  mutating func normalize() {
    for index in walks.indices {
      weights[index] += Self.temper * Float(Double.log(likelihoods[index]))
      likelihoods[index] = 1
    }
    let top = weights.max() ?? 0
    let sum = weights.reduce(Float(0)) { $0 + .exp($1 - top) }
    let shift = top + .log(sum / Float(walks.count))
    for index in weights.indices { weights[index] -= shift }
    resample()
    for index in walks.indices { rooms[index] = rooms[index] << 8 | UInt64(walks[index].room) }
  }

  /// Copies hypotheses if few have most of the weight.
  private mutating func resample() {
    let shares = weights.map { Float.exp(Self.copyExponent * $0) }
    let sum = shares.reduce(0, +)
    guard sum * sum / shares.reduce(0, { $0 + $1 * $1 }) < 0.6 * Float(walks.count) else { return }
    let old = (walks: walks, links: links, weights: weights, rooms: rooms)
    var source = -1
    var reached: Float = 0
    let begin = Float.random(in: 0..<1, using: &random)
    for index in walks.indices {
      while source < 0 || (reached <= begin + Float(index) && source < walks.count - 1) {
        source += 1
        reached += shares[source] * Float(walks.count) / sum
      }
      walks[index] = old.walks[source]
      weights[index] = old.weights[source] - .log(shares[source] * Float(walks.count) / sum)
      rooms[index] = old.rooms[source]
      for group in 0..<map.groups { links[index * map.groups + group] = old.links[source * map.groups + group] }
    }
    for index in walks.indices where walks[index].phase == .stay && Float.random(in: 0..<1, using: &random) < Self.moveShare { move(index) }
  }

  /// Tries another place for a hypothesis that rests, by the rule of Metropolis.
  ///
  /// The known levels remain, so that their errors change. Smaller errors are more likely.
  private mutating func move(_ index: Int) {
    guard let other = walks[index].neighbour(in: map, &random) else { return }
    let body = Float(setting.body)
    let (from, to) = (
      map.index(walks[index].place, floor: walks[index].floor), map.index(other.place, floor: other.floor)
    )
    var gain: Float = 0
    for group in 0..<map.groups {
      let error = links[index * map.groups + group].error
      let moved = error + loss(from + group, walks[index], to + group, other, body)
      gain += (error * error - moved * moved).sum()
    }
    let draw = Float.log(1 - .random(in: 0..<1, using: &random))
    guard draw < Self.temper * gain / 2 / (LinkModel.slowVariance + LinkModel.fadeVariance) else { return }
    for group in 0..<map.groups {
      links[index * map.groups + group].error += loss(from + group, walks[index], to + group, other, body)
      links[index * map.groups + group].level +=
        map.level(to + group, facing: other.facing, body: body) - map.level(from + group, facing: walks[index].facing, body: body)
    }
    walks[index] = other
  }

  /// Returns the loss of level between two places.
  private func loss(_ from: Int, _ walk: WalkHypothesis, _ to: Int, _ other: WalkHypothesis, _ body: Float) -> SIMD8<Float> {
    let floor = SIMD8<Float>(repeating: Self.inaudible)
    let (here, there) = (map.level(from, facing: walk.facing, body: body), map.level(to, facing: other.facing, body: body))
    return pointwiseMax(here, floor) - pointwiseMax(there, floor)
  }

  /// Returns the most probable room seven seconds ago, by all that was heard until now, and its probability.
  func formerRoom() -> (room: Int, probability: Float) {
    var shares = [Float](repeating: 0, count: map.rooms.count)
    for index in walks.indices { shares[Int(rooms[index] >> 56)] += .exp(weights[index]) / Float(walks.count) }
    let best = shares.indices.max { shares[$0] < shares[$1] } ?? 0
    return (best, shares[best])
  }
}
