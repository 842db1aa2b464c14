import IndoorPositioning
import Motion
import Venues

/// The filter's output in each second of a walk.
struct GalleryRun: Sendable {
  struct Second: Sendable {
    var point: PlanPoint
    var radius, accuracy: Double
    var distances: [Double]
    /// The probabilities that each beacon is closer than 3 m and 4.5 m.
    var within: [Double]
    var within45: [Double]
  }

  static let (enter, exit) = (3.0, 4.5)

  let walk: GalleryWalk
  /// The beacons of the plan.
  let indices: [Int]
  var seconds: [Second] = []

  /// Runs the filter alone.
  init(
    _ walk: GalleryWalk, _ model: RoomModel, indices: [Int] = Array(0..<12), survey: SurveyMap? = nil,
    radio: RadioCorrection = RadioCorrection(),
    hasZones: Bool = true, motion: DeviceMotion = .unknown
  ) {
    self.walk = walk
    self.indices = indices
    var filter = RoomFilter(model: model, survey: survey)
    let packets = walk.seconds(indices)
    for (number, second) in packets.enumerated() {
      if number > 0 { filter.predict(motion) }
      filter.update(second, radios: [radio])
      guard let fix = filter.fix(level: 0) else { continue }
      let before = seconds.isEmpty ? fix.point : seconds[max(0, number - 5) < number ? max(0, number - 5) : 0].point
      let heard = Set(packets[max(0, number - 2)...number].joined().map(\.transmitter)).count
      seconds.append(
        Second(
          point: fix.point, radius: fix.radius,
          accuracy: RoomAccuracy.metres(radius: fix.radius, displacement: length(fix.point, before), heard: heard),
          distances: hasZones ? indices.indices.map { filter.distance(to: $0).metres } : [],
          within: hasZones ? indices.indices.map { filter.probability(of: $0, within: Self.enter) } : [],
          within45: hasZones ? indices.indices.map { filter.probability(of: $0, within: Self.exit) } : []))
    }
  }

  /// The seconds that count: the filter starts in the first three.
  var scored: Range<Int> { (walk.ticks.firstIndex { $0 >= walk.start + 3 } ?? 0)..<walk.ticks.count }

  func error(_ second: Int) -> Double { length(seconds[second].point, PlanPoint(x: walk.truth[second].x, y: walk.truth[second].y)) }
}

func length(_ a: PlanPoint, _ b: PlanPoint) -> Double { ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot() }

/// The figures of several walks together.
struct GalleryScore: CustomStringConvertible {
  private var errors: [Double] = []
  private var covered = 0
  private var withinDeviation = 0
  private var nearest = 0
  private var distanceErrors: [Double] = []
  private var zones = ZoneScore()

  init(_ runs: [GalleryRun]) {
    for run in runs {
      for second in run.scored {
        let output = run.seconds[second]
        errors.append(run.error(second))
        if errors.last ?? 0 < output.accuracy { covered += 1 }
        if errors.last ?? 0 < RoomAccuracy.deviation(ofRadius: output.accuracy) { withinDeviation += 1 }
        if output.distances.isEmpty { continue }
        let real = run.indices.map { distance(Gallery.beacons[$0], run.walk.truth[second]) }
        if argmin(output.distances) == argmin(real) { nearest += 1 }
        for (a, b) in zip(output.distances, real) { distanceErrors.append(abs(a - b)) }
      }
      zones.add(run)
    }
  }

  /// The mean and the 95th percentile of the error of the position in metres.
  var mean: Double { errors.reduce(0, +) / Double(errors.count) }
  var percentile95: Double { percentile(errors, 0.95) }
  /// The share of errors below the accuracy.
  var coverage: Double { Double(covered) / Double(errors.count) }
  /// The share of errors below the standard deviation along an axis; 39 % of a normal distribution are.
  var deviationCoverage: Double { Double(withinDeviation) / Double(errors.count) }
  /// The share of seconds in which the nearest beacon is right.
  var hit: Double { Double(nearest) / Double(errors.count) }
  var medianDistanceError: Double { percentile(distanceErrors, 0.5) }
  var distanceError95: Double { percentile(distanceErrors, 0.95) }
  var zoneF1: Double { zones.f1 }
  /// The false enters far from the zone, per minute.
  var gross: Double { zones.gross }

  var description: String {
    func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    return """
      hit \(text(hit)), distance \(text(medianDistanceError))/\(text(distanceError95)) m, position \(text(mean))/\(text(percentile95)) m, \
      in accuracy \(text(coverage)), zones \(text(zoneF1)), gross \(text(gross))/min
      """
  }
}

/// Zone events against the truth.
struct ZoneScore {
  private var real = 0, detected = 0, matched = 0
  private var grossCount = 0
  private var minutes = 0.0

  private struct Event {
    var isEnter: Bool
    var time: Double
  }

  mutating func add(_ run: GalleryRun) {
    minutes += run.walk.minutes
    if run.seconds.first?.within.isEmpty ?? true { return }
    for (number, index) in run.indices.enumerated() {
      let distances = run.walk.positions.map { distance(Gallery.beacons[index], $0) }
      let truth = Self.events(run.walk.times, distances.map { $0 < GalleryRun.enter }, distances.map { $0 > GalleryRun.exit })
      let found = Self.events(
        run.walk.ticks, run.seconds.map { $0.within[number] > 0.5 }, run.seconds.map { $0.within45[number] < 0.5 })
      for isEnter in [true, false] {
        let (a, b) = (truth.filter { $0.isEnter == isEnter }.map(\.time), found.filter { $0.isEnter == isEnter }.map(\.time))
        let unmatched = Self.unmatched(a, b)
        real += a.count
        detected += b.count
        matched += b.count - unmatched.count
        guard isEnter else { continue }
        for time in unmatched {
          let near = zip(run.walk.times, distances).filter { abs($0.0 - time) <= 5 }.map(\.1).min() ?? .infinity
          if near > GalleryRun.exit { grossCount += 1 }
        }
      }
    }
  }

  private static func events(_ times: [Double], _ enter: [Bool], _ exit: [Bool]) -> [Event] {
    var isInside = false
    var events: [Event] = []
    for (index, time) in times.enumerated() where isInside ? exit[index] : enter[index] {
      isInside.toggle()
      events.append(Event(isEnter: isInside, time: time))
    }
    return events
  }

  /// Returns the detected times without a real one within five seconds, the closest pairs first.
  private static func unmatched(_ real: [Double], _ detected: [Double]) -> [Double] {
    var pairs: [(gap: Double, real: Int, detected: Int)] = []
    for (i, a) in real.enumerated() {
      for (k, b) in detected.enumerated() where abs(a - b) <= 5 { pairs.append((abs(a - b), i, k)) }
    }
    pairs.sort { ($0.gap, $0.real, $0.detected) < ($1.gap, $1.real, $1.detected) }
    var (left, right): (Set<Int>, Set<Int>) = ([], [])
    for pair in pairs where !left.contains(pair.real) && !right.contains(pair.detected) {
      left.insert(pair.real)
      right.insert(pair.detected)
    }
    return detected.indices.filter { !right.contains($0) }.map { detected[$0] }
  }

  var f1: Double {
    let (precision, recall) = (Double(matched) / Double(max(1, detected)), Double(matched) / Double(max(1, real)))
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
  }

  var gross: Double { Double(grossCount) / minutes }
}

func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { ((a - b) * (a - b)).sum().squareRoot() }

private func argmin(_ values: [Double]) -> Int { values.indices.min { values[$0] < values[$1] } ?? 0 }

/// Returns a percentile with linear interpolation.
func percentile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let place = share * Double(sorted.count - 1)
  let low = Int(place)
  return sorted[low] + (place - Double(low)) * (sorted[min(low + 1, sorted.count - 1)] - sorted[low])
}
