import RealModule

/// The likelihood of the packets of one second in each cell.
///
/// It is a Student t distribution around the level that path loss predicts.
///
/// The likelihoods of packets with one weight are multiplied before their logarithm is taken, which is the expensive part.
struct Likelihood {
  /// The path-loss exponent indoors without a measurement.
  static let exponent = 2.0
  /// The scale in dB and the degrees of freedom.
  static let (sigma, freedom) = (7.0, 5.0)
  /// The maximum number of packets of a transmitter and second that count in full: they share most of their fading.
  static let budget = 1.1
  static let surveyBudget = 1.6
  /// The logarithm to base 2 of the squared distance below which the level does not rise: half a metre.
  static let leastLogarithm: Float = -2
  /// The attenuation of a floor in dB.
  static let floorAttenuation = 15.0
  /// The dB by which the level falls with each doubling of the squared distance, for an exponent of one.
  static let slopePerExponent = 10 / 2 * 0.301_029_995_663_981_2
  /// The maximum number of factors in one product. A factor is at most 45, at a deviation of 100 dB.
  private static let mostFactors = 20

  /// Packets of one transmitter and adapter.
  private struct Group {
    var transmitter: Int
    var radio: Int
    var place: RoomModel.TransmitterPlace
    /// The level in dBm at 1 m, and the slope.
    var power, slope: Float
    /// The place of the packets in `rssis`.
    var packets: Range<Int>
    /// The number of packets of the transmitter in this second, over all adapters.
    var count: Int
  }

  private var groups: [Group] = []
  private var rssis: ContiguousArray<Float> = []
  private let survey: SurveyMap?
  private let budget: Double
  /// The inverse of the squared scale times the degrees of freedom, for cells without a survey.
  private let precision: Double

  init(_ packets: [RoomPacket], _ radios: [RadioCorrection], _ model: RoomModel, _ survey: SurveyMap?, share: Double) {
    self.survey = survey
    budget = (survey == nil ? Self.budget : Self.surveyBudget) * share
    precision = 1 / (Self.freedom * (survey.map(\.variance) ?? Self.sigma * Self.sigma))
    var counts = ContiguousArray<UInt16>(repeating: 0, count: model.transmitters.count)
    for packet in packets { counts[packet.transmitter] += 1 }
    // By the number of packets, which determines the weight, then by transmitter, adapter and time.
    var order: ContiguousArray<UInt64> = []
    order.reserveCapacity(packets.count)
    for (index, packet) in packets.enumerated() {
      order.append(
        UInt64(counts[packet.transmitter]) << 48 | UInt64(packet.transmitter) << 24 | UInt64(packet.radio) << 16 | UInt64(index))
    }
    order.sort()
    rssis.reserveCapacity(packets.count)
    for key in order {
      let packet = packets[Int(key & 0xFFFF)]
      let position = rssis.count
      rssis.append(Float(packet.rssi))
      if let last = groups.last, last.transmitter == packet.transmitter, last.radio == packet.radio, last.packets.count < Self.mostFactors {
        groups[groups.count - 1].packets = last.packets.lowerBound..<position + 1
        continue
      }
      let radio = radios[packet.radio]
      let base =
        survey.map { ($0.powers[packet.transmitter], $0.exponent) } ?? (model.transmitters[packet.transmitter].power, Self.exponent)
      groups.append(
        Group(
          transmitter: packet.transmitter, radio: packet.radio, place: model.places[packet.transmitter],
          power: Float(base.0 + radio.offset(of: packet.transmitter)), slope: Float((base.1 + radio.exponent) * Self.slopePerExponent),
          packets: position..<position + 1, count: Int(counts[packet.transmitter])))
    }
  }

  /// Multiplies the cells of the live tiles by the likelihood, relative to the most likely cell, and sums each tile.
  func multiply(
    _ cells: inout ContiguousArray<Float>, of live: ContiguousArray<Int32>, _ model: RoomModel, _ table: DistanceTable,
    via scratch: inout ContiguousArray<Float>, _ masses: inout ContiguousArray<Double>
  ) {
    let size = live.count * RoomGrid.area
    // The product of a tile, the logarithms of its distances, and those of the deviations.
    var buffer = ContiguousArray<Float>(repeating: 1, count: 3 * RoomGrid.area)
    cells.withUnsafeMutableBufferPointer { cells in
      scratch.withUnsafeMutableBufferPointer { exponents in
        buffer.withUnsafeMutableBufferPointer { buffer in
          rssis.withUnsafeBufferPointer { rssis in
            (survey?.fields ?? []).withUnsafeBufferPointer { fields in
              guard let cells = cells.baseAddress, let exponents = exponents.baseAddress, let product = buffer.baseAddress,
                let rssis = rssis.baseAddress
              else { return }
              exponents.update(repeating: 0, count: size)
              let context = Context(product: product, rssis: rssis, fields: fields.baseAddress, grid: model.grid, table: table)
              for (slot, tile) in live.enumerated() { add(to: exponents + slot * RoomGrid.area, Int(tile), context) }
              let most = Self.maximum(of: exponents, where: cells, count: size)
              VectorMath.scale(cells, byPowers: exponents, less: most, count: size)
              for slot in live.indices { masses[slot] = RowSums.total(cells + slot * RoomGrid.area) }
            }
          }
        }
      }
    }
  }

  /// The places of numbers in memory.
  private struct Context {
    var product: UnsafeMutablePointer<Float>
    var rssis: UnsafePointer<Float>
    var fields: UnsafePointer<Float>?
    var grid: RoomGrid
    var table: DistanceTable

    var logarithms: UnsafeMutablePointer<Float> { product + RoomGrid.area }
    var deviations: UnsafeMutablePointer<Float> { product + 2 * RoomGrid.area }
  }

  /// Returns the largest exponent of the cells that are possible at all.
  private static func maximum(of exponents: UnsafePointer<Float>, where cells: UnsafePointer<Float>, count: Int) -> Float {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: RoomGrid.side) { most in
      guard let most = most.baseAddress else { return 0 }
      most.initialize(repeating: -.greatestFiniteMagnitude, count: RoomGrid.side)
      var start = 0
      while start < count {
        var i = 0
        while i < RoomGrid.side {
          let value = cells[start &+ i] > 0 ? exponents[start &+ i] : -.greatestFiniteMagnitude
          most[i] = value > most[i] ? value : most[i]
          i &+= 1
        }
        start &+= RoomGrid.side
      }
      var result = most[0]
      for i in 1..<RoomGrid.side { result = max(result, most[i]) }
      return result
    }
  }

  /// Adds the logarithms to base 2 of the likelihood in the cells of a tile.
  private func add(to exponents: UnsafeMutablePointer<Float>, _ tile: Int, _ context: Context) {
    let grid = context.grid
    let rows = grid.rows(of: tile)
    let (start, count) = (rows.lowerBound * RoomGrid.side, rows.count * RoomGrid.side)
    let level = grid.level(of: tile)
    var (factors, weighing) = (0, 0)
    for group in groups {
      if factors > 0, weighing != group.count || factors + group.packets.count > Self.mostFactors {
        VectorMath.subtractLog2(ofAndReset: context.product + start, times: factor(weighing), from: exponents + start, count: count)
        factors = 0
      }
      let floors = abs(group.place.level - level)
      let power = group.power - Float(Self.floorAttenuation * Double(floors))
      let field = survey?.field(of: group.transmitter, tile: tile)
      context.table.with(group.transmitter, group.place, tile, grid, rows, context.logarithms) { logarithms in
        if let field, let fields = context.fields {
          multiply(group, power, logarithms + start, fields + field + start, exponents + start, context, start, count)
        } else {
          multiply(group, power, logarithms + start, exponents + start, context, start, count)
        }
      }
      factors += group.packets.count
      weighing = group.count
    }
    if factors > 0 {
      VectorMath.subtractLog2(ofAndReset: context.product + start, times: factor(weighing), from: exponents + start, count: count)
    }
  }

  /// The weight of each packet of a transmitter, by the number of its packets.
  private func weight(_ count: Int) -> Double { min(1, budget / Double(count)) }

  private func factor(_ count: Int) -> Float { Float(weight(count) * (Self.freedom + 1) / 2) }

  /// Multiplies the product by the packets of a group.
  @inline(__always)
  private func multiply(
    _ group: Group, _ power: Float, _ logarithms: UnsafePointer<Float>, _ exponents: UnsafeMutablePointer<Float>, _ context: Context,
    _ start: Int, _ count: Int
  ) {
    // Deviations in multiples of the scale.
    let unit = Float(precision.squareRoot())
    let slope = group.slope * unit
    let product = context.product + start
    let least = Self.leastLogarithm
    for packet in group.packets {
      let deviation = (context.rssis[packet] - power) * unit
      var i = 0
      while i < count {
        let logarithm = logarithms[i] < least ? least : logarithms[i]
        let e = deviation + slope * logarithm
        product[i] *= 1 + e * e
        i &+= 1
      }
    }
    if survey == nil { return }
    let share = Float(0.5 * weight(group.count) * Double(group.packets.count) * Double.log2(precision))
    var i = 0
    while i < count {
      exponents[i] += share
      i &+= 1
    }
  }

  /// Multiplies the product by the packets of a group whose levels and deviations were surveyed.
  private func multiply(
    _ group: Group, _ power: Float, _ logarithms: UnsafePointer<Float>, _ field: UnsafePointer<Float>,
    _ exponents: UnsafeMutablePointer<Float>, _ context: Context, _ start: Int, _ count: Int
  ) {
    let product = context.product + start
    let least = Self.leastLogarithm
    let precisions = field + RoomGrid.area
    for packet in group.packets {
      let deviation = context.rssis[packet] - power
      var i = 0
      while i < count {
        let logarithm = logarithms[i] < least ? least : logarithms[i]
        let e = deviation + group.slope * logarithm - field[i]
        product[i] *= 1 + e * e * precisions[i]
        i &+= 1
      }
    }
    // The normalisation of each packet's distribution.
    let share = Float(0.5 * weight(group.count) * Double(group.packets.count))
    VectorMath.log2(precisions, to: context.deviations, count: count)
    var i = 0
    while i < count {
      exponents[i] += share * context.deviations[i]
      i &+= 1
    }
  }
}
