import Seeds
import Testing

@testable import RoomSimulation

struct InformedRuleTests {
  private var setting: RoomSetting {
    var setting = RoomSetting.brick
    setting.floors = 1
    (setting.stillTags, setting.walkingTags) = (0, 1)
    return setting
  }

  @Test func `a rule that knows the site follows a walk without learning`() throws {
    let informed = try #require(RoomTrial(setting, hours: 0.6, learning: 0.1, seed: 2001, hypotheses: 400).scores.last)
    #expect(informed.rule == "knows the site")
    #expect(informed.score.changes > 8)
    #expect(informed.score.recall > 0.75, "\(informed.score.recall)")
    #expect(informed.score.precision > 0.7, "\(informed.score.precision)")
    #expect(informed.score.rightShare > 0.8, "\(informed.score.rightShare)")
    #expect(informed.score.flaps.isEmpty)
  }

  @Test func `a hypothesis walks from room to room, no faster than a person`() {
    let map = SiteMap(SiteSimulation(setting, hours: 0.01, seed: 5))
    var random = SeededGenerator(seed: 7)
    var walk = WalkHypothesis(in: map, &random)
    var rooms: Set<Int> = []
    for second in 0..<3000 {
      let place = walk.place
      _ = walk.advance(to: Float(second), meanStay: 20, boost: 1, map: map, &random)
      let way = walk.place - place
      #expect((way * way).sum() < 1.11 * 1.11)
      let room = map.rooms[walk.room]
      #expect(room.x.lowerBound - 0.01...room.x.upperBound + 0.01 ~= Double(walk.place.x))
      #expect(room.y.lowerBound - 0.01...room.y.upperBound + 0.01 ~= Double(walk.place.y))
      rooms.insert(walk.room)
    }
    #expect(rooms.count == map.rooms.count)
  }

  @Test func `a weak tag is expected above the sensitivity, because weaker packets are lost`() {
    #expect(LinkModel.level(of: -60).level == -60)
    #expect(LinkModel.level(of: -96).level > -95)
    #expect(LinkModel.level(of: -130).level > -95)
  }

  @Test func `the silence of a device speaks against places where it is loud, unless its digest is full`() {
    let table = LinkModel.silence(limit: -95, interval: 2)
    #expect(LinkModel.entry(table, -60) < 0.05)
    #expect(LinkModel.entry(table, -110) > 0.95)
    #expect(LinkModel.entry(LinkModel.silence(limit: -50, interval: 2), -60) > 0.95)
  }
}
