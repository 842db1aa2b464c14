import RealModule
public import Venues

/// The mean RSSI of a transmitter at a place, measured by a receiver that stood there.
public struct SurveyReading: Hashable, Sendable {
  /// The transmitter's index in the model.
  public var transmitter: Int
  /// The ordinal of the level.
  public var level: Int
  public var point: PlanPoint
  /// The height in metres of the receiver above the floor.
  public var height: Double
  /// The mean RSSI in dBm.
  public var rssi: Double

  public init(transmitter: Int, level: Int = 0, point: PlanPoint, height: Double, rssi: Double) {
    self.transmitter = transmitter
    self.level = level
    self.point = point
    self.height = height
    self.rssi = rssi
  }
}

/// The RSSI of each transmitter in each cell, by a survey: path loss with priors, and a Gaussian process on the rest.
public struct SurveyMap: Hashable, Sendable {
  /// The length in metres and the amplitude and noise in dB of the process.
  private static let (length, amplitude, noise) = (3.0, 3.0, 3.0)
  /// The distance in metres from which a reading has no effect on a cell.
  private static let reach = 4 * length
  /// The maximum number of readings that decide about one tile.
  private static let mostReadings = 150
  /// The variance in dB² of single packets around the map.
  private static let packetVariance = 36.0
  private static let leastDistance = 0.1

  /// The level in dBm of each transmitter at 1 m, and the path-loss exponent.
  let powers: [Double]
  let exponent: Double
  /// The assumed height in metres of the receiver above the floor.
  let receiverHeight: Double
  /// The variance in dB² of packets far from all readings.
  let variance = packetVariance + amplitude * amplitude
  /// The corrections in dB of the cells of each transmitter and tile, and then the inverses of the squared scales.
  private(set) var fields: ContiguousArray<Float> = []
  private var offsets: [Int: Int] = [:]
  private let tileCount: Int

  /// Makes a map. Readings that are not finite, of unknown levels or of unknown transmitters are ignored.
  ///
  /// - Parameter receiverHeight: the height in metres at which receivers are carried.
  public init(_ readings: [SurveyReading], model: RoomModel, receiverHeight: Double = 1.8) {
    self.receiverHeight = receiverHeight
    let grid = model.grid
    tileCount = grid.tileCount
    let readings = readings.filter { reading in
      model.transmitters.indices.contains(reading.transmitter) && model.levels.contains { $0.ordinal == reading.level }
        && [reading.point.x, reading.point.y, reading.height, reading.rssi].allSatisfy { abs($0) <= RoomModel.mostCoordinate }
    }
    var sums = Array(repeating: ArrowSystem.Sums(), count: model.transmitters.count)
    for reading in readings {
      sums[reading.transmitter].add(x: -10 * Self.logarithm(reading, model), y: Self.level(reading, model), weight: 1 / 25)
    }
    let system = ArrowSystem(
      sums: sums, offset: ArrowSystem.Prior(value: 0, deviation: 4), level: ArrowSystem.Prior(value: -58, deviation: 6),
      exponent: ArrowSystem.Prior(value: 2, deviation: 0.3))
    let solution = system.solution()
    powers = solution.offsets.map { $0 + solution.level }
    exponent = solution.exponent
    addFields(readings, model)
  }

  /// Returns the place of the corrections of a transmitter in a tile within `fields`.
  func field(of transmitter: Int, tile: Int) -> Int? { offsets[transmitter * tileCount + tile] }

  private static func logarithm(_ reading: SurveyReading, _ model: RoomModel) -> Double {
    let place = model.places[reading.transmitter]
    let elevation = model.levels.first { $0.ordinal == reading.level }?.elevation ?? 0
    let (x, y, z) = (reading.point.x - place.x, reading.point.y - place.y, elevation + reading.height - place.z)
    return Double.log10(max(leastDistance, (x * x + y * y + z * z).squareRoot()))
  }

  /// Returns the RSSI without the attenuation of floors.
  private static func level(_ reading: SurveyReading, _ model: RoomModel) -> Double {
    let index = model.levels.firstIndex { $0.ordinal == reading.level } ?? 0
    return reading.rssi + Likelihood.floorAttenuation * Double(abs(index - model.places[reading.transmitter].level))
  }

  /// A place with readings, and the transmitters that were read there.
  private struct Station {
    var point: PlanPoint
    /// The deviation from path loss in dB by transmitter.
    var rests: [Int: Double]
  }

  private mutating func addFields(_ readings: [SurveyReading], _ model: RoomModel) {
    for (index, level) in model.levels.enumerated() {
      var stations: [Station] = []
      var numbers: [PlanPoint: Int] = [:]
      for reading in readings where reading.level == level.ordinal {
        let rest = Self.level(reading, model) - (powers[reading.transmitter] - 10 * exponent * Self.logarithm(reading, model))
        if let number = numbers[reading.point] {
          stations[number].rests[reading.transmitter] = rest
        } else {
          numbers[reading.point] = stations.count
          stations.append(Station(point: reading.point, rests: [reading.transmitter: rest]))
        }
      }
      // Transmitters that were read at the same places share everything of a process except the readings.
      var groups: [[Int]: [Int]] = [:]
      for transmitter in model.transmitters.indices {
        let places = stations.indices.filter { stations[$0].rests[transmitter] != nil }
        if !places.isEmpty { groups[places, default: []].append(transmitter) }
      }
      for (places, transmitters) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
        addFields(places.map { stations[$0] }, transmitters, level: index, model)
      }
    }
  }

  private mutating func addFields(_ stations: [Station], _ transmitters: [Int], level: Int, _ model: RoomModel) {
    let grid = model.grid
    var cached: (members: [Int], process: GaussianProcess)?
    for tile in level * grid.tilesPerLevel..<(level + 1) * grid.tilesPerLevel where !grid.isEmpty(tile) {
      let (column, row) = (grid.tileColumn(of: tile) * RoomGrid.side, grid.tileRow(of: tile) * RoomGrid.side)
      let low = PlanPoint(x: grid.x(of: column), y: grid.y(of: row))
      let high = PlanPoint(x: grid.x(of: column + RoomGrid.side - 1), y: grid.y(of: row + RoomGrid.side - 1))
      func distance(_ station: Int) -> Double {
        let point = stations[station].point
        return point.distance(to: PlanPoint(x: min(max(point.x, low.x), high.x), y: min(max(point.y, low.y), high.y)))
      }
      let ranked = stations.indices.map { (distance($0), $0) }.sorted { $0 < $1 }
      guard let nearest = ranked.first, nearest.0 < Self.reach else { continue }
      let members = stations.count <= Self.mostReadings ? Array(stations.indices) : ranked.prefix(Self.mostReadings).map(\.1).sorted()
      if cached?.members != members {
        cached = (
          members,
          GaussianProcess(
            points: members.map { stations[$0].point },
            values: transmitters.map { transmitter in members.map { stations[$0].rests[transmitter] ?? 0 } },
            length: Self.length, amplitude: Self.amplitude, noise: Self.noise)
        )
      }
      guard let process = cached?.process else { continue }
      let starts = transmitters.map { transmitter in
        let start = fields.count
        offsets[transmitter * tileCount + tile] = start
        fields.append(contentsOf: repeatElement(0, count: RoomGrid.area))
        fields.append(contentsOf: repeatElement(Float(1 / (Likelihood.freedom * variance)), count: RoomGrid.area))
        return start
      }
      for inner in 0..<RoomGrid.side {
        let mask = grid.mask(tile: tile, row: inner)
        for i in 0..<RoomGrid.side where mask &>> UInt32(i) & 1 == 1 {
          let (means, rest) = process.estimate(at: PlanPoint(x: low.x + Double(i) * grid.cell, y: low.y + Double(inner) * grid.cell))
          let precision = Float(1 / (Likelihood.freedom * (Self.packetVariance + max(0, rest))))
          for (start, mean) in zip(starts, means) {
            fields[start + inner * RoomGrid.side + i] = Float(mean)
            fields[start + RoomGrid.area + inner * RoomGrid.side + i] = precision
          }
        }
      }
    }
  }
}

/// A Gaussian process with a squared-exponential covariance, for several series of values at the same points.
///
/// By the Cholesky decomposition (Rasmussen and Williams, Gaussian Processes for Machine Learning, algorithm 2.1).
struct GaussianProcess {
  private let points: [PlanPoint]
  /// The lower triangle by rows.
  private let factor: ContiguousArray<Double>
  /// The values of each series, divided by the factor.
  private let values: [ContiguousArray<Double>]
  private let length, variance: Double

  init(points: [PlanPoint], values: [[Double]], length: Double, amplitude: Double, noise: Double) {
    let count = points.count
    var factor = ContiguousArray(repeating: 0.0, count: count * (count + 1) / 2)
    let variance = amplitude * amplitude
    for row in 0..<count {
      for column in 0...row {
        var sum = Self.covariance(points[row], points[column], length, variance) + (row == column ? noise * noise : 0)
        let (a, b) = (row * (row + 1) / 2, column * (column + 1) / 2)
        for k in 0..<column { sum -= factor[a + k] * factor[b + k] }
        // The noise keeps the diagonal positive.
        factor[a + column] = row == column ? sum.squareRoot() : sum / factor[b + column]
      }
    }
    self.points = points
    self.factor = factor
    self.values = values.map { Self.solve(factor, ContiguousArray($0)) }
    self.length = length
    self.variance = variance
  }

  private static func covariance(_ a: PlanPoint, _ b: PlanPoint, _ length: Double, _ variance: Double) -> Double {
    let (x, y) = (a.x - b.x, a.y - b.y)
    return variance * Double.exp(-0.5 * (x * x + y * y) / (length * length))
  }

  private static func solve(_ factor: ContiguousArray<Double>, _ right: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var result = right
    let count = right.count
    result.withUnsafeMutableBufferPointer { result in
      factor.withUnsafeBufferPointer { factor in
        guard let result = result.baseAddress, let factor = factor.baseAddress else { return }
        var (row, start) = (0, 0)
        while row < count {
          var sum = result[row]
          var k = 0
          while k < row {
            sum -= factor[start &+ k] * result[k]
            k &+= 1
          }
          result[row] = sum / factor[start &+ row]
          row &+= 1
          start &+= row
        }
      }
    }
    return result
  }

  /// Returns the mean of each series at a point, and the variance that all of them share.
  func estimate(at point: PlanPoint) -> (means: [Double], variance: Double) {
    let solved = Self.solve(factor, ContiguousArray(points.map { Self.covariance(point, $0, length, variance) }))
    let means = values.map { series in zip(series, solved).reduce(0) { $0 + $1.0 * $1.1 } }
    return (means, variance - solved.reduce(0) { $0 + $1 * $1 })
  }
}
