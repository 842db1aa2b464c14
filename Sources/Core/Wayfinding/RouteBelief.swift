import Instants
import RealModule
import Venues

/// The errors of positions indoors: those of successive positions belong together.
///
/// They are a first-order autoregression, so a position with the error of the one before it predicts a share of its own error.
struct PositionError: Sendable {
  /// The share of the error before that is a part of this one.
  let share: Double
  /// The variance in m² along an axis of the rest.
  let variance: Double

  /// The seconds in which the errors of positions indoors lose a relation.
  static let correlationTime = 5.0
  /// The least variance of a position in m². Walkers do not keep to the drawn line.
  private static let leastVariance = 0.25

  init(from last: GuidedPosition, to position: GuidedPosition) {
    let correlation = Double.exp(-max(0.05, (position.time - last.time).seconds) / Self.correlationTime)
    let (before, now) = (
      max(Self.leastVariance, last.accuracy * last.accuracy), max(Self.leastVariance, position.accuracy * position.accuracy)
    )
    share = correlation * (now / before).squareRoot()
    variance = now * (1 - correlation * correlation) + 0.02
  }
}

/// The probabilities of the places of a visitor who follows a route.
///
/// A hidden Markov model as in Newson and Krumm, "Hidden Markov map matching through noise and sparseness" (2009). Its states are cells of
/// half a metre, in each of which the visitor stands or walks on.
struct RouteBelief: Sendable {
  private let points: [PlanPoint]
  private let directions: [Double?]
  /// The speed of the visitor in m/s by the way; nil for the usual one on a floor.
  private let speeds: [Double?]
  /// Metres along the route to the first cell.
  private let origin: Double
  /// The probabilities of the cells, of a visitor who stands and of one who walks.
  private var standing: [Double]
  private var walking: [Double]
  /// The cells with a probability.
  private var range: Range<Int>

  /// The metres of a cell, and the least probability of one that counts.
  private static let (cell, least) = (0.5, 1e-7)
  /// The deviation of a walker's speed, as a share of the usual one, and the greatest speed in m/s.
  private static let (spread, mostSpeed) = (0.4, 2.2)
  /// The rates at which a walker stops, and a visitor who stands walks on, in 1/s.
  static let (stopRate, startRate) = (0.05, 0.1)
  /// The least likelihood of a direction that is not that of the route, for a visitor who walks along it.
  private static let leastTurned = 0.02
  /// The logarithm of the likelihood of steps that are missing or too many, in 1/s.
  static let missedSteps = 1.5
  /// The likelihood of a position that neither the route nor a walk explains.
  static let outlier = 1e-6

  init(_ track: RouteTrack) {
    var points: [PlanPoint] = []
    var directions: [Double?] = []
    var speeds: [Double?] = []
    let segments = track.present.filter { $0.length > 0 }
    origin = segments.first?.offset ?? 0
    var offset = 0.0
    for segment in segments {
      while offset <= segment.offset + segment.length - origin {
        let share = min(1, max(0, (origin + offset - segment.offset) / segment.length))
        points.append(segment.line.from.towards(segment.line.to, share))
        directions.append(segment.direction)
        speeds.append(segment.isPlain || segment.seconds <= 0 ? nil : segment.length / segment.seconds)
        offset += Self.cell
      }
    }
    if let last = segments.last {
      points.append(last.line.to)
      directions.append(last.direction)
      speeds.append(nil)
    } else {
      points = [track.matched.point]
      (directions, speeds) = ([nil], [nil])
    }
    (self.points, self.directions, self.speeds) = (points, directions, speeds)
    standing = Array(repeating: 0, count: points.count)
    walking = standing
    let variance = max(0.5, track.variance)
    var sum = 0.0
    for index in points.indices {
      let apart = origin + Double(index) * Self.cell - track.progress
      standing[index] = Double.exp(-apart * apart / (2 * variance)) / 2
      walking[index] = standing[index]
      sum += 2 * standing[index]
    }
    if sum <= 0 { standing[points.count - 1] = 1 }
    range = 0..<points.count
    normalise(max(sum, 1e-300))
  }

  /// Takes a position, and returns the logarithm of its likelihood.
  ///
  /// - Parameters:
  ///   - last: the position before it. A position is up to a second old, so its direction is that of the way between the two.
  ///   - speed: the speed of the visitor in m/s on a floor.
  mutating func update(from last: GuidedPosition, to position: GuidedPosition, speed: Double, _ error: PositionError) -> Double {
    let seconds = min(5, max(0.05, (position.time - last.time).seconds))
    let reach = Int((Self.mostSpeed * seconds / Self.cell).rounded(.up))
    var (current, steps) = (speed, Self.steps(speed, reach, seconds))
    let (stop, start) = (1 - Double.exp(-seconds * Self.stopRate), 1 - Double.exp(-seconds * Self.startRate))
    let miss = Double.exp(-Self.missedSteps * seconds)
    let (standFactor, walkFactor) = (position.isWalking == true ? miss : 1, position.isWalking == false ? miss : 1)
    var (nextStanding, nextWalking) = ([Double](repeating: 0, count: points.count), [Double](repeating: 0, count: points.count))
    let factor = 1 / error.variance
    for from in range {
      let (still, moving) = (standing[from], walking[from])
      guard still + moving > Self.least else { continue }
      // The position that the error before predicts.
      let x = position.place.point.x - error.share * (last.place.point.x - points[from].x)
      let y = position.place.point.y - error.share * (last.place.point.y - points[from].y)
      func likelihood(_ to: Int) -> Double {
        let (dx, dy) = (x - points[to].x, y - points[to].y)
        return Double.exp(-(dx * dx + dy * dy) * factor / 2) * factor
      }
      let stays = (still * (1 - start) + moving * stop) * standFactor
      nextStanding[from] += stays * likelihood(from)
      var walks = (still * start + moving * (1 - stop)) * walkFactor
      guard walks > Self.least else { continue }
      if let heading = last.heading, let direction = directions[from] {
        let sigmas = turn(from: direction, to: heading) / RouteTrack.turnSigma
        walks *= max(Self.leastTurned, Double.exp(-sigmas * sigmas / 2))
      }
      let own = speeds[from] ?? speed
      if own != current { (current, steps) = (own, Self.steps(own, reach, seconds)) }
      for number in steps.indices {
        let to = min(from + number, points.count - 1)
        nextWalking[to] += walks * steps[number] * likelihood(to)
      }
    }
    let total = zip(nextStanding, nextWalking).reduce(0) { $0 + $1.0 + $1.1 }
    let outlier = Self.outlier * factor
    guard total > outlier * 1e-3 else {
      // Neither standing nor walking explains it.
      return Double.log(outlier)
    }
    (standing, walking) = (nextStanding, nextWalking)
    range = max(0, range.lowerBound)..<min(points.count, range.upperBound + reach)
    normalise(total)
    return Double.log(total + outlier)
  }

  /// Returns the probabilities of the cells by which a walker goes on.
  private static func steps(_ speed: Double, _ reach: Int, _ seconds: Double) -> [Double] {
    var steps = (0...reach).map { number in
      let sigmas = (Double(number) * Self.cell / seconds - speed) / (Self.spread * min(1, max(0.5, speed)))
      return Double.exp(-sigmas * sigmas / 2) + 0.01
    }
    let sum = steps.reduce(0, +)
    for index in steps.indices { steps[index] /= sum }
    return steps
  }

  private mutating func normalise(_ sum: Double) {
    var (first, last) = (points.count, -1)
    for index in range {
      standing[index] /= sum
      walking[index] /= sum
      if standing[index] + walking[index] > Self.least {
        first = min(first, index)
        last = index
      }
    }
    if first <= last { range = first..<last + 1 }
  }

  /// The mean place with its variances in m², and the metres along the route.
  var moments: (x: Double, y: Double, xx: Double, xy: Double, yy: Double, offset: Double) {
    var (sum, x, y, offset) = (0.0, 0.0, 0.0, 0.0)
    for index in range {
      let share = standing[index] + walking[index]
      sum += share
      x += share * points[index].x
      y += share * points[index].y
      offset += share * Double(index)
    }
    (x, y, offset) = (x / sum, y / sum, offset / sum)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for index in range {
      let share = (standing[index] + walking[index]) / sum
      let (dx, dy) = (points[index].x - x, points[index].y - y)
      xx += share * dx * dx
      xy += share * dx * dy
      yy += share * dy * dy
    }
    return (x, y, xx, xy, yy, origin + offset * Self.cell)
  }
}
