import Glibc
import Instants
import RoomSimulation
import Rooms

/// Prints the table of rooms in Docs/fleet/rooms.md, and the cost of a sighting without and with surveys.
///
/// `swift run -c release room-figures [--bound] [--check] [SEED [SITES [HOURS [SETTING]]]]`; SETTING is a part of its name. The first two
/// hours of each site only teach. `--bound` adds a rule that knows the site, which takes minutes for each further hour. `--check` compares
/// the figures with their limits, and fails if one is missed.
@main
struct RoomFigures {
  static func main() {
    let hypotheses = CommandLine.arguments.contains("--bound") ? 4000 : nil
    let arguments = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
    var faults: [String] = []
    let numbers = arguments.prefix(3).compactMap(Double.init)
    let seed = UInt64(numbers.first ?? 1001)
    let sites = Int(numbers.dropFirst().first ?? 2)
    let hours = Swift.max(2.5, numbers.dropFirst(2).first ?? 6)
    let name = arguments.dropFirst(3).first ?? ""
    print(
      "| setting | rule | precision | recall | flaps of a still tag a day | delay, median and p95 in s | right room, walking and still |")
    print("|---|---|---|---|---|---|---|")
    for setting in RoomSetting.all where setting.name.contains(name) {
      var sums: [(rule: String, score: RoomScore)] = []
      for site in 0..<sites {
        let scores = RoomTrial(setting, hours: hours, learning: 2, seed: seed + UInt64(site), hypotheses: hypotheses).scores
        sums = sums.isEmpty ? scores : zip(sums, scores).map { ($0.rule, $0.score + $1.score) }
      }
      faults += RoomLimits(of: setting).faults(of: sums).map { "\(setting.name): \($0)" }
      for (rule, score) in sums {
        let flaps =
          score.flaps.isEmpty
          ? "-" : "\(rounded(score.flapsPerDay, 10)), \(score.flaps.filter { $0 == 0 }.count) of \(score.flaps.count) tags none"
        let delays = "\(rounded(score.delay(0.5), 10)), \(rounded(score.delay(0.95), 10))"
        let shares = "\(rounded(score.rightShare, 100)), \(score.flaps.isEmpty ? "-" : "\(rounded(score.stillRightShare, 100))")"
        print(
          "", setting.name, rule, rounded(score.precision, 1000), "\(rounded(score.recall, 1000)) of \(score.changes)", flaps, delays,
          shares, "",
          separator: " | ")
      }
    }
    measureCost(seed: seed)
    guard CommandLine.arguments.contains("--check") else { return }
    for fault in faults { print("above or below its limit: \(fault)") }
    exit(faults.isEmpty ? 0 : 1)
  }

  private static func measureCost(seed: UInt64) {
    var simulation = SiteSimulation(.brick, hours: 1, seed: seed)
    let digests = simulation.run()
    let devices = simulation.plan.siteDevices
    let sightings = digests.reduce(0) { $0 + $1.sightings.count }
    for surveys in [[], simulation.surveys(in: digests)] {
      var filter = BeaconRoomFilter(devices: devices, surveys: surveys)
      let time = ContinuousClock().measure {
        for digest in digests {
          _ = filter.take(digest.sightings, from: Int32(digest.device), at: Instant(microseconds: Int64(digest.time * 1e6)))
        }
      }
      let cost = Double(time.components.seconds) * 1e6 + Double(time.components.attoseconds) / 1e12
      print("\(sightings) sightings, \(rounded(cost / Double(sightings), 1000)) µs each\(filter.isSurveyed ? ", surveyed" : "")")
    }
  }

  private static func rounded(_ value: Double, _ unit: Double) -> String { "\((value * unit).rounded() / unit)" }
}
