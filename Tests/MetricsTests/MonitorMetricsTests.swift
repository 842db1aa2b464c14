import BeaconAdvertising
import Beacons
import Events
import Instants
import Locations
import Metrics
import Records
import Status
import TestSupport
import Testing

/// The metrics that are made of a status.
@Suite struct MonitorMetricsTests {
  private func samples(_ status: MonitorStatus, _ figures: MonitorFigures = MonitorFigures()) -> [String] {
    var set = MetricSet()
    set.add(status, figures)
    return set.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test func `each number of the statistics is a counter from the start on`() {
    var status = MonitorStatus()
    status.source.statistics = AdvertisementStatistics()
    let names = samples(status).filter { $0.hasPrefix("beaconmon_source_") }
    #expect(names.count == AdvertisementStatistics.fields.count { $0.signature == "t" })
    #expect(names.allSatisfy { $0.hasSuffix("_total 0") })
    #expect(names.contains("beaconmon_source_ibeacons_total 0"))
    #expect(names.contains("beaconmon_source_lost_packets_total 0"))
  }

  @Test func `counts by name have a label`() {
    var status = MonitorStatus()
    var statistics = AdvertisementStatistics()
    (statistics.kinds, statistics.malformed) = (["iBeacon": 5, "apple": 2], ["eventLength": 40])
    status.source.statistics = statistics
    let lines = samples(status)
    #expect(lines.contains("beaconmon_source_advertisements_by_kind_total{kind=\"apple\"} 2"))
    #expect(lines.contains("beaconmon_source_malformed_total{reason=\"eventLength\"} 40"))
  }

  @Test func `a region is inside, outside or without a sample`() {
    var status = MonitorStatus()
    status.regions = [("hall", RegionState.inside), ("door", .outside), ("roof", .unknown)].map { name, state in
      var region = RegionStatus()
      (region.identifier, region.report.state, region.flaps) = (name, state, 3)
      region.report.since = Instant(microseconds: 1_700_000_000_500_000)
      return region
    }
    let lines = samples(status)
    #expect(
      lines.filter { $0.hasPrefix("beaconmon_region_inside") } == [
        "beaconmon_region_inside{region=\"hall\"} 1", "beaconmon_region_inside{region=\"door\"} 0",
      ])
    #expect(lines.contains("beaconmon_regions{state=\"unknown\"} 1"))
    #expect(lines.contains("beaconmon_region_change_timestamp_seconds{region=\"roof\"} 1700000000.5"))
  }

  @Test func `regions beyond the limit are only counted`() {
    var status = MonitorStatus()
    status.regions = (0..<MetricSet.mostRegions + 7).map { number in
      var region = RegionStatus()
      (region.identifier, region.report.state) = ("\(number)", .inside)
      return region
    }
    let lines = samples(status)
    #expect(lines.count { $0.hasPrefix("beaconmon_region_inside") } == MetricSet.mostRegions)
    #expect(lines.contains("beaconmon_regions{state=\"inside\"} \(MetricSet.mostRegions + 7)"))
    #expect(lines.contains("beaconmon_regions_unlisted 7"))
  }

  @Test func `no label and no value comes from a beacon, a coordinate or a user`() {
    var set = MetricSet()
    set.add(Reference.status, Reference.figures)
    #expect(!set.text.contains("8ec76ea3"))
    #expect(!set.text.contains("48.1"))
    let labels = Set(set.families.flatMap(\.samples).flatMap(\.labels).map(\.name))
    #expect(labels == ["adapter", "kind", "reason", "region", "source", "state"])
  }

  @Test func `a time without a clock and a source without a state are absent`() {
    let lines = samples(MonitorStatus())
    #expect(!lines.contains { $0.contains("timestamp") || $0.contains("source_state") || $0.contains("journal_durable") })
  }
}
