import Beacons
import LeastSquares
import RealModule

/// Fits path loss and offsets to signals at known distances, by robust least squares with priors.
///
/// A sample's variance is that of its packets and that of fading, which is the same for all packets at one place. The latter is estimated
/// from the samples. Samples far from the model count less (Student's t with four degrees of freedom).
public enum SignalFit {
  /// The minimum number of packets of a beacon that give it an offset.
  static let fewestPackets = 10
  /// The largest deviation in dB of an offset that is better than none: offsets of beacons span 12 dB.
  static let mostDeviation = 3.0
  /// The maximum number of beacons of a fit, which bounds its time.
  public static let mostBeacons = 300

  /// The largest deviation of an exponent that is better than the usual one.
  static let mostExponentDeviation = 0.5

  /// The ratio of the farthest to the nearest distance, and the number of distances, that show the exponent.
  private static let spread = (ratio: 2.5, distances: 3)
  /// The exponents of rooms. A wider prior leaves the measured one as it is.
  private static let usualExponent = (value: 2.0, assumed: 0.5, measured: 1.0)
  /// The usual deviations in dB of single packets, of places, of beacons of one make, and of receivers.
  private static let (packet, place, beacon, receiver) = (4.0, 3.0, 4.0, 6.0)
  /// The samples as which the usual fading counts.
  private static let placeWeight = 4.0
  private static let freedom = 4.0
  private static let rounds = 30

  /// Returns the calibration; nil without a usable sample.
  ///
  /// - Parameter known: Returns the current offset in dB of an adapter, which stays where the samples cannot show another one.
  public static func calibration(of samples: [SignalSample], known: (UInt16) -> Double = { _ in 0 }) -> SignalCalibration? {
    let usable = samples.filter(\.isUsable)
    let packets = usable.reduce(into: [BeaconIdentity: Int]()) { $0[$1.beacon, default: 0] += $1.packets }
    let chosen = Set(packets.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(mostBeacons).map(\.key))
    let used = usable.filter { chosen.contains($0.beacon) }
    let distances = Dictionary(grouping: used, by: \.beacon).values.map { $0.map(\.distance) }
    // The widest range from one beacon: distances from several beacons do not show how the signal of one fades.
    let ranges = distances.compactMap { own in own.min().flatMap { least in own.max().map { least...$0 } } }
    guard let widest = ranges.max(by: { ($0.upperBound / $0.lowerBound, $1.lowerBound) < ($1.upperBound / $1.lowerBound, $0.lowerBound) })
    else { return nil }
    var model = Model(used, fitsExponent: distances.contains(where: showsExponent), known: known)
    guard model.fit() else { return nil }
    var shortages: [SignalCalibration.Shortage] = model.fitsExponent ? [] : [.distances(widest)]
    if model.fitsExponent, model.exponent.deviation > mostExponentDeviation {
      shortages.append(.exponent(model.exponent))
      model = Model(used, fitsExponent: false, known: known)
      guard model.fit() else { return nil }
    }
    let adapters = model.adapterOffsets.filter { $0.value.deviation <= mostDeviation }
    shortages += model.adapterOffsets.filter { adapters[$0.key] == nil }.sorted { $0.key < $1.key }.map { .adapter($0.key, $0.value) }
    var beacons: [SignalCalibration.Beacon] = []
    for (index, identity) in model.beacons.enumerated() {
      let own = used.filter { $0.beacon == identity }
      let (count, offset) = (packets[identity] ?? 0, model.offset(ofBeacon: index))
      guard count >= fewestPackets else {
        shortages.append(.packets(identity, count))
        continue
      }
      guard offset.deviation <= mostDeviation else {
        shortages.append(.uncertain(identity, offset))
        continue
      }
      let powers = own.map(\.power)
      let distances = own.map(\.distance)
      beacons.append(
        SignalCalibration.Beacon(
          identity: identity, offset: offset,
          power: Estimate(powers.reduce(0, +) / Double(powers.count) - offset.value, deviation: offset.deviation), packets: count,
          distances: (distances.min() ?? 0)...(distances.max() ?? 0)))
    }
    return SignalCalibration(
      exponent: model.fitsExponent ? model.exponent : nil, adapters: adapters, beacons: beacons,
      residuals: model.residuals(), fading: model.fading, shortages: shortages, refused: samples.count - usable.count)
  }

  private static func showsExponent(_ distances: [Double]) -> Bool {
    guard let nearest = distances.min(), let farthest = distances.max(), farthest >= spread.ratio * nearest else { return false }
    // Distances within a tenth are one.
    return Set(distances.map { Int((Double.log(max($0, 0.01)) * 10).rounded()) }).count >= spread.distances
  }

  /// The model: rssi = power - offset of the adapter - offset of the beacon - 10 n log10(distance).
  private struct Model {
    let fitsExponent: Bool
    let beacons: [BeaconIdentity]
    private(set) var fading = SignalFit.place
    private let samples: [SignalSample]
    private let columns: [(adapter: Int?, beacon: Int)]
    private let adapters: [UInt16]
    /// The exponent, the offsets of adapters, the offsets of beacons.
    private var unknowns: [Double]
    private var covariance: [Double] = []

    init(_ samples: [SignalSample], fitsExponent: Bool, known: (UInt16) -> Double) {
      self.fitsExponent = fitsExponent
      let beacons = Set(samples.map(\.beacon)).sorted()
      let heard = Set(samples.map(\.adapter)).sorted()
      // The offset of one adapter and those of few beacons cannot be separated, so the beacons have all of it.
      let adapters = beacons.count >= 3 || heard.count > 1 ? heard : []
      (self.beacons, self.adapters) = (beacons, adapters)
      self.samples = adapters.isEmpty ? samples.map { $0.adding(known($0.adapter)) } : samples
      let places = Dictionary(uniqueKeysWithValues: beacons.enumerated().map { ($1, $0) })
      columns = samples.map { sample in
        (adapters.firstIndex(of: sample.adapter).map { 1 + $0 }, 1 + adapters.count + (places[sample.beacon] ?? 0))
      }
      unknowns = [SignalFit.usualExponent.value] + Array(repeating: 0, count: adapters.count + beacons.count)
    }

    /// Returns false if the samples contradict each other beyond what numbers can express.
    mutating func fit() -> Bool {
      for _ in 0..<SignalFit.rounds {
        var equations = NormalEquations(count: unknowns.count)
        addPriors(to: &equations)
        var gradient = [Double](repeating: 0, count: unknowns.count)
        for index in samples.indices {
          let variance = variance(of: samples[index])
          let error = residual(index)
          let weight = (SignalFit.freedom + 1) / (SignalFit.freedom + error * error / variance) / variance
          set(&gradient, index, to: true)
          // The observation is what the offsets and the exponent explain.
          equations.add(gradient, samples[index].rssi - samples[index].power, weight: weight)
          set(&gradient, index, to: false)
        }
        guard let solution = equations.solved() else { return false }
        let change = zip(solution.unknowns, unknowns).map { abs($0 - $1) }.max() ?? 0
        (unknowns, covariance) = solution
        let before = fading
        updateFading()
        if change < 1e-4, abs(fading - before) < 1e-3 { break }
      }
      return unknowns.allSatisfy(\.isFinite)
    }

    var exponent: Estimate { estimate(0) }
    var adapterOffsets: [UInt16: Estimate] {
      Dictionary(uniqueKeysWithValues: adapters.enumerated().map { ($1, estimate(1 + $0)) })
    }

    func offset(ofBeacon index: Int) -> Estimate { estimate(1 + adapters.count + index) }

    /// Returns the residuals in bands of distance of a factor of two.
    func residuals() -> [SignalCalibration.Residual] {
      let bands = Dictionary(grouping: samples.indices) { Int(Double.log2(samples[$0].distance).rounded(.down)) }
      return bands.sorted { $0.key < $1.key }.map { band, indices in
        let errors = indices.map { residual($0) }
        let count = Double(errors.count)
        return SignalCalibration.Residual(
          distances: Double.exp2(Double(band))...Double.exp2(Double(band + 1)), mean: errors.reduce(0, +) / count,
          spread: (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot(), samples: errors.count)
      }
    }

    private func estimate(_ index: Int) -> Estimate {
      Estimate(unknowns[index], deviation: covariance[index * unknowns.count + index].squareRoot())
    }

    private func addPriors(to equations: inout NormalEquations) {
      var unit = [Double](repeating: 0, count: unknowns.count)
      for index in unknowns.indices {
        unit[index] = 1
        let (value, deviation) =
          switch index {
          // Without different distances the exponent is the usual one, and its uncertainty is part of that of the offsets.
          case 0: (SignalFit.usualExponent.value, fitsExponent ? SignalFit.usualExponent.measured : SignalFit.usualExponent.assumed)
          case ...adapters.count: (0, SignalFit.receiver)
          default: (0, adapters.isEmpty ? SignalFit.receiver + SignalFit.beacon : SignalFit.beacon)
          }
        equations.add(unit, value, weight: 1 / (deviation * deviation))
        unit[index] = 0
      }
    }

    private func set(_ gradient: inout [Double], _ index: Int, to isSet: Bool) {
      let (adapter, beacon) = columns[index]
      gradient[0] = isSet ? -10 * .log10(samples[index].distance) : 0
      if let adapter { gradient[adapter] = isSet ? -1 : 0 }
      gradient[beacon] = isSet ? -1 : 0
    }

    private func residual(_ index: Int) -> Double {
      let sample = samples[index]
      let (adapter, beacon) = columns[index]
      let loss = 10 * unknowns[0] * .log10(sample.distance) + unknowns[beacon] + (adapter.map { unknowns[$0] } ?? 0)
      return sample.rssi - sample.power + loss
    }

    private func variance(of sample: SignalSample) -> Double {
      fading * fading + SignalFit.packet * SignalFit.packet / Double(sample.packets)
    }

    /// Estimates fading from what the packets do not explain; outliers count as three deviations.
    private mutating func updateFading() {
      var (sum, count) = (SignalFit.placeWeight * SignalFit.place * SignalFit.place, SignalFit.placeWeight)
      for index in samples.indices {
        let limit = 9 * variance(of: samples[index])
        let excess = min(residual(index) * residual(index), limit) - SignalFit.packet * SignalFit.packet / Double(samples[index].packets)
        sum += excess
        count += 1
      }
      let free = max(SignalFit.placeWeight, count - Double(unknowns.count))
      fading = max(0.5, max(0, sum / free).squareRoot())
    }
  }
}
