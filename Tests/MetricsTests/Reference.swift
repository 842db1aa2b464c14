import BeaconAdvertising
import Beacons
import Events
import Instants
import Locations
import Metrics
import RadioHealth
import Records
import Status

/// Every metric of both programs, with values that no program would report together.
enum Reference {
  static let time = Instant(microseconds: 1_581_252_284_779_766)

  static var process: ProcessFigures {
    var process = ProcessFigures()
    (process.version, process.start, process.processorTime) = ("1.0", time, .seconds(12))
    (process.residentMemory, process.openDescriptors, process.mostDescriptors, process.wakeUps) = (10 << 20, 12, 1024, 99)
    (process.loopLatency, process.configurationRead, process.isBusConnected) = (.milliseconds(1), time, true)
    return process
  }

  static var figures: MonitorFigures {
    var figures = MonitorFigures()
    (figures.beacons, figures.events, figures.sessions, figures.clients) = (4, [.enter: 3], 2, 1)
    (figures.journalSize, figures.oldestEvent, figures.isClockSynchronised) = (4096, time, true)
    return figures
  }

  static var status: MonitorStatus {
    var status = MonitorStatus()
    var statistics = AdvertisementStatistics()
    (statistics.kinds, statistics.malformed) = (["iBeacon": 5], ["eventLength": 40])
    (status.source.state, status.source.statistics) = (.scanning, statistics)
    (status.journal.lastSequence, status.journal.isDurable, status.journal.damagedEvents) = (42, true, 1)
    status.registrations = RegistrationCounts(regions: 3, apps: 2, idle: 1)
    status.locationServices.isEnabled = true
    var location = LocationReport()
    (location.latitude, location.longitude, location.age, location.horizontalAccuracy) = (48.1, 11.5, 0.25, 8)
    status.location = location
    var lines = LineStatistics(used: 120, unused: 7, malformed: ["length": 1])
    (lines.untimed, lines.limited) = (2, 4)
    var source = LocationSourceStatus()
    (source.source, source.state, source.isOn, source.fixes, source.refused, source.lines) = ("nmea", .fixing, true, 9, ["stale": 1], lines)
    status.locationSources = [source]
    var adapter = AdapterStatus()
    (adapter.address, adapter.name, adapter.state) = (BluetoothAddress("00:1A:7D:DA:71:13"), "hci0", .scanning)
    (adapter.reportsPerSecond, adapter.lastReport) = (12.5, time)
    status.adapters = [adapter]
    var region = RegionStatus()
    (region.identifier, region.kind, region.flaps) = ("hall", .beacon, 12)
    (region.report.state, region.report.since) = (.inside, time)
    region.uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
    status.regions = [region]
    return status
  }

  static var notifier: NotifierFigures {
    var notifier = NotifierFigures()
    var target = NotifierFigures.Target(name: "till", kind: "webhook")
    (target.results, target.waiting, target.oldest) = ([("delivered", 3), ("failed", 1)], 2, .seconds(60))
    notifier.targets = [target]
    return notifier
  }

  static var families: [MetricFamily] {
    var set = MetricSet()
    set.add(process)
    set.add(HealthReport())
    set.add(status, figures)
    set.add(notifier)
    return set.families
  }
}
