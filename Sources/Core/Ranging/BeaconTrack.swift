import BeaconAdvertising
import Beacons
import Instants

/// The current measurements of a beacon that is being heard: its filtered RSSI, its distance and its band.
public struct BeaconTrack: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public private(set) var measuredPower: Int8 = 0
  /// The adapter with the best reception of the beacon.
  public private(set) var adapter: UInt16 = 0
  public private(set) var lastSeen: Instant
  public private(set) var proximity = BeaconProximity.unknown
  /// The distances at which the beacon leaves its band.
  private var band = ProximityBand(of: .unknown)
  /// The method by which distances are estimated.
  public private(set) var method: DistanceMethod
  /// Whether the beacon has an offset of its own, so that the spread between transmitters does not count.
  private var isCalibrated: Bool
  /// The distance by path loss alone, which decides about the band.
  /// It is `nil` without an RSSI or with an implausible measured power.
  public private(set) var distance: Distance?
  /// The filter of the adapter with the best reception; `nil` until the beacon was heard with an RSSI.
  public private(set) var filter: RSSIFilter?
  public private(set) var rate: AdvertisementRate
  /// The learned reception of the beacon at a venue, by adapter; usually empty.
  public var receptions: [LearnedReception] = []

  /// The filters of several adapters, because RSSI of different antennas must not be mixed.
  /// Empty while only one adapter hears the beacon.
  private var hearings: [Hearing] = []

  public private(set) var model: PathLossModel
  private var offset: Double
  private var adapterOffsets: [UInt16: Double]
  private var decay: Double

  /// Creates a track for a beacon whose first sighting follows.
  public init(_ beacon: BeaconIdentity, settings: RangingSettings, at time: Instant) {
    self.beacon = beacon
    lastSeen = time
    rate = AdvertisementRate(from: time)
    (method, isCalibrated) = (settings.method, settings.beaconOffsets[beacon] != nil)
    (model, offset, adapterOffsets, decay) = Self.calibration(of: beacon, settings)
  }

  /// Applies other settings from the next sighting on.
  public mutating func calibrate(_ settings: RangingSettings) {
    (method, isCalibrated) = (settings.method, settings.beaconOffsets[beacon] != nil)
    (model, offset, adapterOffsets, decay) = Self.calibration(of: beacon, settings)
  }

  public mutating func hear(_ sighting: Sighting) {
    let previous = lastSeen
    lastSeen = sighting.time
    measuredPower = sighting.measuredPower
    rate.count(at: sighting.time)
    if let heard = sighting.rssi {
      let rssi = Double(heard) + (adapterOffsets.isEmpty ? 0 : adapterOffsets[sighting.adapter] ?? 0)
      if filter == nil {
        adapter = sighting.adapter
        filter = RSSIFilter(rssi: rssi, at: sighting.time)
      } else if sighting.adapter == adapter && hearings.isEmpty {
        filter?.add(rssi: rssi, at: sighting.time, decay: decay)
      } else {
        compare(rssi: rssi, by: sighting.adapter, at: sighting.time, previous: previous)
      }
    }
    if let filter, PathLossModel.isPlausible(measuredPower: measuredPower) {
      distance = model.distance(rssi: filter.level + offset, referencePower: Double(measuredPower))
    } else {
      distance = nil
    }
    if !band.contains(distance) { leaveBand() }
  }

  /// The distance by the method of the settings; `nil` if it is unknown.
  public var estimate: DistanceEstimate? {
    guard let basis = basis(method), let filter else { return nil }
    return DistanceEstimate(basis.distance, levelVariance: basis.levelVariance(filter), slope: basis.slope, method: method)
  }

  /// A distance by path loss alone, with the numbers that an estimate needs in addition.
  public struct Basis {
    public let distance: Distance
    public let slope: Double
    /// The variance in dB² that averaging does not remove; `nil` for the one that the filter has measured.
    fileprivate let fading: Double?

    /// Returns the variance of a filtered RSSI in dB².
    public func levelVariance(_ filter: RSSIFilter) -> Double {
      fading.map { $0 + DistancePrior.noise * Double(filter.squaredWeights) } ?? filter.levelVariance
    }
  }

  /// Returns the distance by path loss on which an estimate by a method is based; `nil` if it is unknown.
  ///
  /// Learned offsets of a venue are included, except in plain estimates.
  public func basis(_ method: DistanceMethod) -> Basis? {
    guard method != .plain else { return distance.map { Basis(distance: $0, slope: model.slope, fading: nil) } }
    guard let reception = receptions.first(where: { $0.adapter == adapter }), let filter else {
      let fading = isCalibrated ? DistancePrior.fading : DistancePrior.uncalibratedFading
      return distance.map { Basis(distance: $0, slope: model.slope, fading: fading) }
    }
    guard reception.referencePower != nil || PathLossModel.isPlausible(measuredPower: measuredPower) else { return nil }
    let distance = reception.model.distance(
      rssi: filter.level + offset - reception.offset, referencePower: reception.referencePower ?? Double(measuredPower))
    return Basis(distance: distance, slope: reception.model.slope, fading: DistancePrior.fading)
  }

  /// Returns the variance of a filtered RSSI of this beacon in dB², by a method.
  @inline(__always)  // a part of every sighting
  public func levelVariance(_ filter: RSSIFilter, _ method: DistanceMethod) -> Double {
    switch method {
    case .plain: return filter.levelVariance
    case .bayesian, .indoor:
      let fading = isCalibrated ? DistancePrior.fading : DistancePrior.uncalibratedFading
      return fading + DistancePrior.noise * Double(filter.squaredWeights)
    }
  }

  private static func calibration(
    of beacon: BeaconIdentity, _ settings: RangingSettings
  ) -> (PathLossModel, Double, [UInt16: Double], Double) {
    (settings.model, settings.rssiOffset + (settings.beaconOffsets[beacon] ?? 0), settings.adapterOffsets, settings.filterDecay)
  }

  @inline(never)  // few sightings change the band
  private mutating func leaveBand() {
    proximity = proximity.next(distance: distance)
    band = ProximityBand(of: proximity)
  }

  /// Applies a sample of a beacon that several adapters hear, and selects the adapter with the best reception.
  private mutating func compare(rssi: Double, by adapter: UInt16, at time: Instant, previous: Instant) {
    if hearings.isEmpty, let filter { hearings = [Hearing(adapter: self.adapter, filter: filter, lastSeen: previous)] }
    hearings.removeAll { time - $0.lastSeen >= RangedBeacon.unknownAfter && $0.adapter != adapter }
    if let index = hearings.firstIndex(where: { $0.adapter == adapter }) {
      hearings[index].filter.add(rssi: rssi, at: time, decay: decay)
      hearings[index].lastSeen = time
    } else {
      hearings.append(Hearing(adapter: adapter, filter: RSSIFilter(rssi: rssi, at: time), lastSeen: time))
    }
    guard let best = hearings.max(by: { $0.filter.level < $1.filter.level }) else { return }
    self.adapter = best.adapter
    filter = best.filter
    if hearings.count == 1 { hearings = [] }
  }
}

/// The reception of one beacon by one adapter.
struct Hearing: Hashable, Sendable {
  let adapter: UInt16
  var filter: RSSIFilter
  var lastSeen: Instant
}

extension BeaconProximity {
  /// The edges of the bands: a beacon leaves a band only a quarter beyond its edge, so that it does not flicker.
  /// The edges are literal logarithms of 0.5, 0.625, 3 and 3.75 m, so that no code runs to initialize them.
  fileprivate static let immediateEdge = (
    inwards: Distance(logarithm: -0.6931471805599453), outwards: Distance(logarithm: -0.4700036292457356)
  )
  fileprivate static let nearEdge = (inwards: Distance(logarithm: 1.0986122886681098), outwards: Distance(logarithm: 1.3217558399823195))

  /// Returns the band after a new distance; `unknown` if `distance` is `nil`.
  public func next(distance: Distance?) -> BeaconProximity {
    guard let distance else { return .unknown }
    let isImmediate = self == .immediate
    let wasNear = self == .near || isImmediate
    if distance < (isImmediate ? Self.immediateEdge.outwards : Self.immediateEdge.inwards) { return .immediate }
    return distance < (wasNear ? Self.nearEdge.outwards : Self.nearEdge.inwards) ? .near : .far
  }
}

/// The distances at which a beacon stays in its band.
///
/// They are stored, so that a sighting compares with them alone. A processor predicts that a beacon stays in its band, but not which band
/// the next beacon is in.
struct ProximityBand: Hashable, Sendable {
  /// The distance below which a beacon leaves the band.
  private let inner: Distance
  /// The distance at which a beacon leaves the band.
  private let outer: Distance

  /// Creates the distances of a band; every distance leaves the unknown one.
  init(of proximity: BeaconProximity) {
    (inner, outer) =
      switch proximity {
      case .unknown: (Distance(logarithm: .infinity), Distance(logarithm: -.infinity))
      case .immediate: (Distance(logarithm: -.infinity), BeaconProximity.immediateEdge.outwards)
      case .near: (BeaconProximity.immediateEdge.inwards, BeaconProximity.nearEdge.outwards)
      case .far: (BeaconProximity.nearEdge.inwards, Distance(logarithm: .infinity))
      }
  }

  @inline(__always)  // a part of every sighting
  func contains(_ distance: Distance?) -> Bool {
    guard let distance else { return false }
    return distance >= inner && distance < outer
  }
}
