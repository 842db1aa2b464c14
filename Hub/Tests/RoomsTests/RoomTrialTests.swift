import RoomSimulation
import Testing

struct RoomTrialTests {
  /// A site that chose no parameter. Docs/fleet/rooms.md has the figures of many.
  private func trial() -> [(rule: String, score: RoomScore)] {
    var setting = RoomSetting.halls
    setting.floors = 1
    (setting.stillTags, setting.walkingTags) = (2, 8)
    return RoomTrial(setting, hours: 1.6, learning: 0.8, seed: 2001).scores
  }

  @Test func `the filter follows walking tags without calibration, far better than the strongest RSSI`() {
    let scores = trial()
    #expect(scores.map(\.rule) == ["this filter, surveyed", "this filter", "Bermuda, calibrated", "Bermuda", "strongest RSSI"])
    let (surveyed, filter, strongest) = (scores[0].score, scores[1].score, scores[4].score)
    #expect(filter.changes > 100)
    #expect(filter.recall > 0.8, "\(filter.recall)")
    #expect(filter.precision > 0.7, "\(filter.precision)")
    #expect(filter.precision > 2 * strongest.precision, "\(strongest.precision)")
    #expect(surveyed.recall >= filter.recall && surveyed.recall > 0.9, "\(surveyed.recall)")
    #expect(surveyed.precision > filter.precision && surveyed.precision > 0.9, "\(surveyed.precision)")
  }
}
