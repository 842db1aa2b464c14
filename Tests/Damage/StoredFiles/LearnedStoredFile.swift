import IndoorPositioning
import LearnedState
import Logging
import Monitoring

/// The daemon's file of learned offsets. A lost offset is learned again, so only a wrong one is a fault.
struct LearnedStoredFile: StoredFile {
  let name = "state"
  let fileName = "state.db"
  let isDatabase = true

  private static let log = Logger(label: "state") { _ in SwiftLogNoOpLogHandler() }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, [LearnedReceiver]) throws -> Void) throws {
    var truth: [LearnedReceiver] = []
    do {
      let store = LearnedStore(path: "\(folder)/\(fileName)", log: Self.log)
      for form in [Form.older, .crashed] {
        truth = Self.receivers(using: &random)
        store.save(truth)
        store.save(Self.placements(truth))
        try keep(form, truth)
      }
    }
    try keep(.closed, truth)
  }

  /// Returns evidence with the numbers of the receivers, so that a wrong one is noticed.
  private static func placements(_ receivers: [LearnedReceiver]) -> [String: [PlacementEvidence]] {
    Dictionary(grouping: receivers, by: \.venue).mapValues { receivers in
      receivers.flatMap { receiver in
        receiver.radio.transmitters.sorted { $0.key < $1.key }.map {
          PlacementEvidence(transmitter: $0.key, plan: receiver.adapter, seconds: receiver.radio.seconds, sums: $0.value)
        }
      }
    }
  }

  private static func receivers(using random: inout some RandomNumberGenerator) -> [LearnedReceiver] {
    (0..<Int.random(in: 1...4, using: &random)).map { number in
      var transmitters: [String: [Double]] = [:]
      for minor in 0..<Int.random(in: 1...20, using: &random) {
        transmitters["8ec76ea3-6668-48da-9866-75be8bc86f4d/1/\(minor)"] = (0..<5).map { _ in .random(in: -1000...1000, using: &random) }
      }
      return LearnedReceiver(
        venue: "venue \(number)", adapter: "00:11:22:33:44:0\(number)", rssiOffset: Double.random(in: -20...20, using: &random),
        radio: LearnedRadio(transmitters: transmitters, seconds: .random(in: 1...10_000, using: &random)))
    }
  }

  func judge(_ folder: String, untouched: String, truths: [[LearnedReceiver]]) throws -> Verdict {
    var verdict = Verdict()
    var (loaded, found): ([LearnedReceiver], [String: [PlacementEvidence]]) = ([], [:])
    do {
      let store = LearnedStore(path: "\(folder)/\(fileName)", log: Self.log)
      (loaded, found) = (store.load(), store.loadPlacements())
    }
    let placements = truths.map(Self.placements)
    for (venue, evidence) in found {
      for entry in evidence {
        verdict.expect(placements.contains { $0[venue]?.contains(entry) == true }, "\(venue) has wrong evidence about \(entry.transmitter)")
      }
    }
    for receiver in loaded {
      let rows = truths.joined().filter { $0.venue == receiver.venue && $0.adapter == receiver.adapter }
      verdict.expect(rows.contains { $0.rssiOffset == receiver.rssiOffset }, "\(receiver.venue) has a wrong RSSI offset")
      let known = rows.map(\.radio)
      verdict.expect(known.contains { $0.seconds == receiver.radio.seconds }, "\(receiver.venue) has wrong seconds")
      for (transmitter, sums) in receiver.radio.transmitters {
        verdict.expect(known.contains { $0.transmitters[transmitter] == sums }, "\(receiver.venue) has wrong offsets of \(transmitter)")
      }
    }
    let count = truths.map(\.count).max() ?? 0
    if loaded.count < count { verdict.reportedLosses += count - loaded.count }

    let next = LearnedReceiver(venue: "next", adapter: "hci0", radio: LearnedRadio(transmitters: ["t": [1, 2, 3, 4, 5]], seconds: 1))
    do { LearnedStore(path: "\(folder)/\(fileName)", log: Self.log).save([next]) }
    verdict.expect(LearnedStore(path: "\(folder)/\(fileName)", log: Self.log).load() == [next], "what is learned next is lost")
    return verdict
  }
}
