import Foundation
import Headings
import Instants
import LearnedState
import Orientation
import SQLite
import TestSupport
import Testing

/// Calibrations of magnetometers in state.db.
@Suite struct StoredCalibrationTests {
  private let folder: TemporaryDirectory
  private let lines = LogLines()
  private var path: String { folder.file("state.db") }

  init() throws { folder = try TemporaryDirectory() }

  private func store() -> LearnedStore { LearnedStore(path: path, log: lines.logger) }

  private func calibration(_ device: String, day: Int64?, isKnown: Bool = true) throws -> StoredCalibration {
    let size = Double(device.utf8.count)
    let matrix = try #require(SpaceMatrix(rowMajor: [1.02, 0.01, -0.3, 0.02, 0.97, 0, 0.1 / size, 0, 1]))
    let known = try #require(
      MagneticCalibration(
        offset: [size, -2.5, 1e-300], matrix: matrix, strength: 48.25, strengthOfPlace: isKnown ? 49.5 : nil,
        sineOfInclination: isKnown ? -0.25 : nil, residual: 0.375, covariance: (0..<144).map { Double($0) * 1e-7 }))
    return StoredCalibration(device: device, time: day.map { Instant(microseconds: 1_780_000_000_000_000 + $0 * 86_400_000_000) }, known)
  }

  @Test func `calibrations are the same in the next process, the newest first`() throws {
    let stored = [
      try calibration("ak8963 i2c-0", day: 1), try calibration("magn_3d HID", day: 3, isKnown: false), try calibration("lsm303", day: nil),
    ]
    do {
      let store = store()
      #expect(store.loadCalibrations() == [])
      for entry in stored { #expect(store.save(entry, most: 16)) }
    }
    #expect(store().loadCalibrations() == [stored[1], stored[0], stored[2]])
    // A renewal replaces that of the same device alone.
    let renewed = try calibration("ak8963 i2c-0", day: 9)
    #expect(store().save(renewed, most: 16))
    #expect(store().loadCalibrations() == [renewed, stored[1], stored[2]])
    #expect(lines.all.isEmpty)
  }

  @Test func `beyond the limit the oldest are removed, and never the one that is saved`() throws {
    let store = store()
    for day in 0..<5 as Range<Int64> { #expect(store.save(try calibration("chip \(day)", day: day), most: 3)) }
    #expect(store.loadCalibrations()?.map(\.device) == ["chip 4", "chip 3", "chip 2"])
    // The clock is not set.
    #expect(store.save(try calibration("new", day: nil), most: 3))
    #expect(store.loadCalibrations()?.map(\.device) == ["chip 4", "chip 3", "new"])
  }

  @Test func `a file that cannot be opened is a failure and not empty, and a later save keeps what it has`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: false)
    let path = folder.file("disk/state.db")
    let (first, second) = (try calibration("first", day: 1), try calibration("second", day: 2))
    do { #expect(LearnedStore(path: path, log: lines.logger).save(first, most: 16)) }
    try FileManager.default.moveItem(atPath: folder.file("disk"), toPath: folder.file("unmounted"))
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.loadCalibrations() == nil)
      #expect(!store.save(second, most: 16))
      try FileManager.default.moveItem(atPath: folder.file("unmounted"), toPath: folder.file("disk"))
      #expect(store.save(second, most: 16))
    }
    #expect(LearnedStore(path: path, log: lines.logger).loadCalibrations() == [second, first])
    #expect(lines.all.count == 1)
  }

  @Test func `a damaged calibration is removed, and the others are read`() throws {
    do {
      let store = store()
      for name in ["first", "second"] { #expect(store.save(try calibration(name, day: 1), most: 16)) }
    }
    try Database(path: path).execute("UPDATE calibration SET residual = 0.4 WHERE device = 'first'")
    do {
      let store = store()
      #expect(store.loadCalibrations() == [try calibration("second", day: 1)])
      #expect(store.save(try calibration("first", day: 2), most: 16))
    }
    #expect(store().loadCalibrations()?.map(\.device) == ["first", "second"])
    #expect(lines.all == ["\(path) is damaged (calibration): 1 row was removed; lost values are learned again"])
  }

  @Test(arguments: ["zeroblob(1272)", "zeroblob(8)", "x''"])
  func `numbers that are not a calibration are not read`(blob: String) throws {
    do {
      let store = store()
      #expect(store.save(try calibration("first", day: 1), most: 16))
    }
    try Database(path: path).execute("UPDATE calibration SET numbers = \(blob)")
    #expect(store().loadCalibrations() == [])
  }
}
