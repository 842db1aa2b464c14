import IndoorPositioning
import Testing
import Venues

@Suite struct RoomModelTests {
  private static let beacon = RoomTransmitter(identity: "a", point: PlanPoint(x: 3, y: 4), power: -59)

  @Test func `positions of beacons alone make a room with a margin`() throws {
    let other = RoomTransmitter(identity: "b", point: PlanPoint(x: 13, y: 9), power: -59)
    let model = try RoomModel(levels: [RoomLevel(ordinal: 0)], transmitters: [Self.beacon, other])
    // 16 × 11 m in cells of half a metre.
    #expect(model.cellCount == 32 * 22)
    #expect(model.index(of: "b") == 1 && model.index(of: "c") == nil)
  }

  @Test func `a hole in the outline is not inside`() throws {
    func square(_ low: Double, _ high: Double) -> [PlanPoint] {
      [PlanPoint(x: low, y: low), PlanPoint(x: high, y: low), PlanPoint(x: high, y: high), PlanPoint(x: low, y: high)]
    }
    let level = RoomLevel(ordinal: 0, outline: [square(0, 10), square(4, 6)])
    let model = try RoomModel(levels: [level], transmitters: [Self.beacon])
    #expect(model.cellCount == 20 * 20 - 4 * 4)
  }

  @Test func `the gallery's farthest place is 6.6 m from a beacon`() throws {
    let model = try Gallery.model(isMapped: true)
    #expect(abs(model.coveringRadius - 6.57) < 0.01)
    #expect(model.cellCount == 41 * 35)
  }

  @Test func `large buildings get larger cells`() throws {
    let far = RoomTransmitter(identity: "far", point: PlanPoint(x: 900, y: 500), power: -59)
    let model = try RoomModel(levels: [RoomLevel(ordinal: 0)], transmitters: [Self.beacon, far])
    #expect(model.cellSize == 1)
  }

  @Test func `invalid plans are refused with a reason`() throws {
    func reason(_ levels: [RoomLevel], _ transmitters: [RoomTransmitter]) -> RoomModelError? {
      do throws(RoomModelError) {
        _ = try RoomModel(levels: levels, transmitters: transmitters)
        return nil
      } catch {
        return error
      }
    }
    let ground = RoomLevel(ordinal: 0)
    var upstairs = Self.beacon
    upstairs.level = 2
    var nowhere = Self.beacon
    nowhere.point.x = .nan
    let remote = RoomTransmitter(identity: "b", point: PlanPoint(x: 90_000, y: 90_000), power: -59)
    #expect(reason([], [Self.beacon]) == .noTransmitters)
    #expect(reason([ground], []) == .noTransmitters)
    #expect(reason([ground, ground], [Self.beacon]) == .repeatedLevel(ordinal: 0))
    #expect(reason([ground], [Self.beacon, Self.beacon]) == .repeatedTransmitter(identity: "a"))
    #expect(reason([ground], [upstairs]) == .unknownLevel(ordinal: 2))
    #expect(reason([ground], [nowhere]) == .invalidNumber)
    #expect(reason([ground], [Self.beacon, remote]) == .tooLarge(metres: 90_003))
    #expect("\(RoomModelError.noTransmitters)" == "the venue file has no beacon; add at least four [[beacon]]")
    #expect("\(RoomModelError.tooLarge(metres: 90_003.4))".hasPrefix("the levels are 90003 m long"))
    #expect(reason([RoomLevel(ordinal: 0, outline: [[PlanPoint(x: 1, y: 1)]])], [Self.beacon]) == nil)
  }
}
