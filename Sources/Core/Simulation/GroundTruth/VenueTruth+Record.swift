import Records
import Regions

extension VenueTruth {
  /// One record for each visit, region by region; the key `left` is absent if the visit lasts until the end.
  public var records: [Record] {
    zip(scenario.regions, visits).flatMap { region, visits in
      visits.map { visit in
        Record([
          "region": .text(region.identifier), "approached": .time(visit.approached), "entered": .time(visit.entered),
          "lastInside": .time(visit.lastInside), "left": visit.left.map { .time($0) },
        ])
      }
    }
  }
}
