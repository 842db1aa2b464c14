import Instants
import RealModule
import Venues

/// The error of a position indoors, which is correlated with that of the previous position.
///
/// The errors are a first-order autoregression: each one is a share of the previous error, and an independent rest.
struct PositionError: Sendable {
  /// The share of the previous error that is part of this one.
  let share: Double
  /// The variance of the rest in m², along an axis.
  let variance: Double

  /// The time in seconds in which the correlation of errors falls to 1/e.
  static let correlationTime = 5.0
  /// The minimum variance of a position in m². Walkers do not keep to the drawn line.
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
  /// A piece of the route, with the probabilities of a visitor there who stands and of one who walks.
  private struct Cell: Sendable {
    let point: PlanPoint
    let direction: Double?
    /// The speed of the visitor in m/s by the way; nil for the usual one on a floor.
    let speed: Double?
    var standing = 0.0
    var walking = 0.0

    var sum: Double { standing + walking }
  }

  /// The pieces of the route on which the visitor may be, and the place of a visitor who is on none.
  private let segments: [RouteTrack.Segment]
  private let place: PlanPoint
  /// Metres along the route to the first cell.
  private let origin: Double
  /// The number of cells of these pieces. A file may state a way of 100 km, so cells exist only where the visitor may be.
  private let count: Int
  /// The cells with a probability, and the number of the first one.
  private var cells: [Cell] = []
  private var first = 0

  /// The number of cells in memory.
  var cellCount: Int { cells.count }

  /// The metres of a cell, and the least probability of one that counts.
  private static let (cell, least) = (0.5, 1e-7)
  /// The sigmas around the progress at which a belief begins, and the maximum number of cells: 1 km.
  private static let (reach, mostCells) = (9.0, 2000)
  /// The deviation of a walker's speed, as a share of the usual one, and the greatest speed in m/s.
  private static let (spread, mostSpeed) = (0.4, 2.2)
  /// The rates at which a walker stops, and a visitor who stands walks on, in 1/s.
  static let (stopRate, startRate) = (0.05, 0.1)
  /// The minimum likelihood of a direction that is not that of the route, for a visitor who walks along it.
  private static let leastTurned = 0.02
  /// The logarithm of the likelihood of steps that are missing or too many, in 1/s.
  static let missedSteps = 1.5
  /// The longest time in seconds between two positions that belong together.
  static let longestStep = 15.0
  /// The likelihood of a position that neither the route nor a walk explains.
  static let outlier = 1e-6

  init(_ track: RouteTrack) {
    segments = track.present.filter { $0.length > 0 }
    place = track.matched.point
    origin = segments.first?.offset ?? 0
    let length = (segments.last.map { $0.offset + $0.length } ?? origin) - origin
    // The last cell is the end of the last piece.
    count = segments.isEmpty ? 1 : Int((length / Self.cell).rounded(.down)) + 2
    let variance = max(0.5, track.variance)
    let reach = min(Self.mostCells / 2 - 1, Int((Self.reach * variance.squareRoot() / Self.cell).rounded(.up)))
    let middle = Int(min(max(0, (track.progress - origin) / Self.cell), Double(count - 1)))
    first = max(0, middle - reach)
    append(upTo: min(count, middle + reach + 2))
    var sum = 0.0
    for index in cells.indices {
      let apart = origin + Double(first + index) * Self.cell - track.progress
      cells[index].standing = Double.exp(-apart * apart / (2 * variance)) / 2
      cells[index].walking = cells[index].standing
      sum += cells[index].sum
    }
    if sum <= 0 { cells[cells.count - 1].standing = 1 }
    normalise(max(sum, 1e-300))
  }

  /// Adds cells after the last one.
  ///
  /// - Parameter end: the number of the cell after the last one.
  private mutating func append(upTo end: Int) {
    cells.reserveCapacity(end - first)
    var number = segments.startIndex
    for index in first + cells.count..<max(end, first + cells.count) {
      let offset = Double(index) * Self.cell
      while number < segments.endIndex, offset > segments[number].offset + segments[number].length - origin { number += 1 }
      guard number < segments.endIndex else {
        cells.append(Cell(point: segments.last?.line.to ?? place, direction: segments.last?.direction, speed: nil))
        continue
      }
      let segment = segments[number]
      let share = min(1, max(0, (origin + offset - segment.offset) / segment.length))
      cells.append(
        Cell(
          point: segment.line.from.towards(segment.line.to, share), direction: segment.direction,
          speed: segment.isPlain || segment.seconds <= 0 ? nil : segment.length / segment.seconds))
    }
  }

  /// Takes a position, and returns the logarithm of its likelihood.
  ///
  /// - Parameters:
  ///   - last: the position before it. A position is up to a second old, so its direction is that of the way between the two.
  ///   - speed: the speed of the visitor in m/s on a floor.
  mutating func update(from last: GuidedPosition, to position: GuidedPosition, speed: Double, _ error: PositionError) -> Double {
    let seconds = min(Self.longestStep, max(0.05, (position.time - last.time).seconds))
    let reach = Int((Self.mostSpeed * seconds / Self.cell).rounded(.up))
    var (current, steps) = (speed, Self.steps(speed, reach, seconds))
    let (stop, start) = (1 - Double.exp(-seconds * Self.stopRate), 1 - Double.exp(-seconds * Self.startRate))
    let miss = Double.exp(-Self.missedSteps * seconds)
    let (standFactor, walkFactor) = (position.isWalking == true ? miss : 1, position.isWalking == false ? miss : 1)
    let known = cells
    append(upTo: min(count, first + known.count + reach))
    for index in cells.indices { (cells[index].standing, cells[index].walking) = (0, 0) }
    let factor = 1 / error.variance
    for (from, before) in known.enumerated() where before.sum > Self.least {
      // The position that the previous error predicts.
      let x = position.place.point.x - error.share * (last.place.point.x - before.point.x)
      let y = position.place.point.y - error.share * (last.place.point.y - before.point.y)
      func likelihood(_ to: Int) -> Double {
        let (dx, dy) = (x - cells[to].point.x, y - cells[to].point.y)
        return Double.exp(-(dx * dx + dy * dy) * factor / 2) * factor
      }
      let stays = (before.standing * (1 - start) + before.walking * stop) * standFactor
      cells[from].standing += stays * likelihood(from)
      var walks = (before.standing * start + before.walking * (1 - stop)) * walkFactor
      guard walks > Self.least else { continue }
      if let heading = last.heading, let direction = before.direction {
        let sigmas = turn(from: direction, to: heading) / RouteTrack.turnSigma
        walks *= max(Self.leastTurned, Double.exp(-sigmas * sigmas / 2))
      }
      let own = before.speed ?? speed
      if own != current { (current, steps) = (own, Self.steps(own, reach, seconds)) }
      for number in steps.indices {
        let to = min(from + number, cells.count - 1)
        cells[to].walking += walks * steps[number] * likelihood(to)
      }
    }
    let total = cells.reduce(0) { $0 + $1.standing + $1.walking }
    let outlier = Self.outlier * factor
    guard total > outlier * 1e-3 else {
      // Neither standing nor walking explains it.
      cells = known
      return Double.log(outlier)
    }
    normalise(total)
    return Double.log(total + outlier)
  }

  /// Returns the probabilities of the numbers of cells that a walker passes.
  private static func steps(_ speed: Double, _ reach: Int, _ seconds: Double) -> [Double] {
    var steps = (0...reach).map { number in
      let sigmas = (Double(number) * Self.cell / seconds - speed) / (Self.spread * min(1, max(0.5, speed)))
      return Double.exp(-sigmas * sigmas / 2) + 0.01
    }
    let sum = steps.reduce(0, +)
    for index in steps.indices { steps[index] /= sum }
    return steps
  }

  /// Divides the probabilities by their sum, and drops the cells at both ends that have none.
  private mutating func normalise(_ sum: Double) {
    for index in cells.indices {
      cells[index].standing /= sum
      cells[index].walking /= sum
    }
    guard var low = cells.firstIndex(where: { $0.sum > Self.least }), var high = cells.lastIndex(where: { $0.sum > Self.least }) else {
      return
    }
    while high - low >= Self.mostCells { if cells[low].sum < cells[high].sum { low += 1 } else { high -= 1 } }
    cells.removeSubrange((high + 1)...)
    cells.removeSubrange(..<low)
    first += low
  }

  /// The mean place with its variances in m², and the metres along the route.
  var moments: (x: Double, y: Double, xx: Double, xy: Double, yy: Double, offset: Double) {
    var (sum, x, y, offset) = (0.0, 0.0, 0.0, 0.0)
    for (index, cell) in cells.enumerated() {
      sum += cell.sum
      x += cell.sum * cell.point.x
      y += cell.sum * cell.point.y
      offset += cell.sum * Double(first + index)
    }
    (x, y, offset) = (x / sum, y / sum, offset / sum)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for cell in cells {
      let share = cell.sum / sum
      let (dx, dy) = (cell.point.x - x, cell.point.y - y)
      xx += share * dx * dx
      xy += share * dx * dy
      yy += share * dy * dy
    }
    return (x, y, xx, xy, yy, origin + offset * Self.cell)
  }
}
