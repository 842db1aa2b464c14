import IndoorPositioning
import Instants
import Testing
import Venues

/// The learned level of a receiver as its declaration.
@Suite struct AcceptedLevelTests {
  /// Walks through the gallery, and from the end to the start again, with an adapter that hears everything `level` dB louder.
  ///
  /// - Parameter body: called after each walk; false ends the walks.
  private static func walk(_ engine: inout IndoorEngine, level: Double, most: Int = 15, _ body: (IndoorEngine) -> Bool = { _ in true }) {
    var start = 0.0
    for number in 0..<most {
      let walk = Gallery.walks[number % Gallery.walks.count]
      let shift = Int64((start - walk.start.rounded(.down)) * 1e6)
      start += (walk.minutes * 60).rounded(.up) + 60
      let end = Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6) + 1 + shift)
      for var sighting in GalleryCase.louder(walk, by: level).sightings() {
        sighting.time.microseconds += shift
        if sighting.time > end { break }
        _ = engine.step([sighting], through: sighting.time)
      }
      guard body(engine) else { return }
    }
  }

  private static func declaration(_ engine: IndoorEngine) -> RadioDeclaration? {
    engine.learned[0].map { RadioLearner($0, model: engine.model).declaration }
  }

  @Test(arguments: [-8.0, -4, 0, 4, 8])
  func `a signal level errs as its deviation states, and fits as an offset once it is certain`(level: Double) throws {
    let model = try Gallery.model(isMapped: true)
    var unknown = IndoorEngine(model: model)
    var declared: RadioDeclaration?
    Self.walk(&unknown, level: level) { engine in
      guard let declaration = Self.declaration(engine), engine.learned[0]?.seconds ?? 0 >= 40 else { return true }
      // An adapter that hears louder by `level` needs the opposite offset.
      let error = abs(declaration.level.value + level)
      #expect(error < 1.2 * declaration.level.deviation, "\(error) \(declaration.level) after \(engine.learned[0]?.seconds ?? 0) s")
      declared = declaration
      return declaration.missingSeconds > 0
    }
    let offset = try #require(declared?.missingSeconds == 0 ? declared?.level.value : nil)
    #expect(abs(offset + level) < 2.5, "\(offset)")
    var calibrated = IndoorEngine(model: model, calibration: IndoorCalibration(isForAll: true))
    Self.walk(&calibrated, level: level + offset, most: 5)
    #expect(calibrated.learned[0]?.isDistrusted == false, "\(offset)")
  }

  @Test func `the offsets of beacons are those by true positions`() throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    Self.walk(&engine, level: 0, most: 5)
    let declaration = try #require(Self.declaration(engine))
    // `beaconmon calibrate` on the five walks with their true positions.
    let calibrated = [0.6, -1.1, -1.2, 0.7, 1.5, -1.0, 6.8, -1.8, -0.7, 3.4, -5.6, -1.5]
    for (index, offset) in calibrated.enumerated() {
      let change = try #require(declaration.offsets[index])
      #expect(abs(change.value - offset) < 2 * change.deviation, "beacon \(index + 1): \(change), not \(offset)")
      #expect(change.deviation < 2)
    }
  }

  @Test func `after a short walk the missing time is known`() throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    Self.walk(&engine, level: 0, most: 1)
    let (declaration, seconds) = (try #require(Self.declaration(engine)), engine.learned[0]?.seconds ?? 0)
    #expect(seconds < 60 && declaration.missingSeconds >= 120 - seconds && declaration.missingSeconds < 200)
  }
}
