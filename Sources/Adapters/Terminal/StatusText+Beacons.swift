import Beacons
import Events
import Instants
import Status

extension StatusText {
  /// The maximum number of beacons with problems that are shown.
  private static let mostBeacons = 10

  /// The expected beacons: `11 of 12 expected are healthy`, and those with problems below.
  func beacons(_ all: [BeaconStatus], note: String?) -> [String] {
    guard !all.isEmpty else { return [] }
    let troubled = all.filter { !($0.problems ?? []).isEmpty }
    let unheard = all.count { $0.lastSeen == nil && $0.problems == nil }
    let learning = all.count { $0.lastSeen != nil && $0.isLearned == false }
    let further = [
      unheard > 0 ? "\(unheard) not heard yet" : nil, learning > 0 ? "\(learning) being learned, which takes an hour" : nil,
    ].compactMap(\.self)
    let summary = "\(all.count - troubled.count) of \(all.count) expected without a problem" + further.map { ", \($0)" }.joined()
    let lines = troubled.prefix(Self.mostBeacons).flatMap { beacon in
      (beacon.problems ?? []).map { fact("", line(beacon, $0)) }
    }
    let more = troubled.count - Self.mostBeacons
    return [fact("beacons", summary)] + lines + (more > 0 ? [fact("", "and \(more) more with problems")] : [])
      + (note.map { [fact("", $0)] } ?? [])
  }

  /// Returns `1/5 at Lodestone is missing since 2026-11-21 08:51:02Z`, with the values that matter.
  private func line(_ beacon: BeaconStatus, _ problem: BeaconStatus.Problem) -> String {
    let name = "\(beacon.major.map { "\($0)" } ?? style.dash)/\(beacon.minor.map { "\($0)" } ?? style.dash)"
    let place = beacon.place.map { " (\($0.printable))" } ?? ""
    let deed =
      switch problem.event {
      case .beaconMissing: "is missing"
      case .beaconWeak: problem.cause == .battery ? "has a low battery" : "has become weak"
      case .beaconMoved: "seems to have moved"
      case .beaconDuplicate: "seems to have a copy"
      default: "has an unknown problem"
      }
    let value: String? =
      switch problem.event {
      case .beaconMissing: beacon.lastSeen.map { "last heard \(second($0))" }
      case .beaconWeak where problem.cause == .battery: BeaconProblemText.volts(beacon.battery)
      case .beaconWeak, .beaconMoved:
        BeaconProblemText.level(beacon.rssi).map { "\($0)\(BeaconProblemText.level(beacon.usualRSSI).map { ", usually \($0)" } ?? "")" }
      default: nil
      }
    let since = problem.since.map { " since \(second($0))" } ?? ""
    return "\(name)\(place) \(deed)\(since)\(value.map { ", \($0)" } ?? "")"
  }
}
