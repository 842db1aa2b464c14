import ArgumentParser
import BeaconAdvertising
import Beacons
import DBus
import EventLoop
import Failures
import Instants
import MonitorConfiguration
import Ranging
import Scoring
import Setup
import SignalCalibration
import Terminal

/// A calibration with the packets of the daemon, at distances that its user types.
final class LiveCalibration {
  private let bus: BusAddress
  /// The time of one measurement.
  private let duration: Span
  private let configuration: Configuration
  private let isWanted: (BeaconIdentity) -> Bool
  private let output = TerminalOutput.standardOutput
  private let text: SetupText
  private(set) var roster: AdapterRoster
  /// The time in which the beacons in range are found.
  private static let searchTime = Span.seconds(3)

  init(_ bus: BusAddress, for duration: Span, _ configuration: Configuration, isWanted: @escaping (BeaconIdentity) -> Bool) {
    (self.bus, self.duration, self.configuration, self.isWanted) = (bus, duration, configuration, isWanted)
    roster = AdapterRoster()
    text = SetupText(style: output.style, width: output.width)
  }

  /// Returns the current offset in dB of an adapter.
  func known(_ adapter: UInt16) -> Double { configuration.rssiOffset(ofAdapterNamed: roster.name(of: adapter)) }

  /// Asks and measures until the user has decided about the result.
  ///
  /// - Parameters:
  ///   - target: The name of the file that would be written.
  ///   - write: Writes the result; its error is shown, and the question is asked again.
  func run(target: String, write: (SignalCalibration, AdapterRoster) throws -> Void) throws {
    let found = try packets(for: min(duration, Self.searchTime), "looking for beacons").filter { isWanted($0.beacon) }
    let levels = Dictionary(grouping: found, by: \.beacon).mapValues { $0.compactMap { $0.rssi.map(Double.init) } }
    guard !levels.isEmpty else { throw Failure(.unavailable, "no such beacon is in range; \"beaconmon scan\" lists those that are") }
    // The numbers of adapters stay as they are, so their offsets can be read now.
    let offsets = Dictionary(uniqueKeysWithValues: (0..<UInt16(AdapterRoster.most)).map { ($0, known($0)) })
    var dialogue = CalibrationDialogue(
      levels.map { .init($0, rssi: $1.isEmpty ? nil : $1.reduce(0, +) / Double($1.count)) }, target: target
    ) { offsets[$0] ?? 0 }
    let input: AnswerInput
    do throws(SystemCallError) { input = try AnswerInput() } catch { throw Failure(.osError, "\(error)") }
    var isRepeated = false
    while true {
      let question = dialogue.question
      try output.write(isRepeated ? text.prompt(question) : text.text(question))
      isRepeated = true
      switch dialogue.answer(try line(input)) {
      case .next: isRepeated = false
      case .refused(let lines), .explained(let lines): try output.write(text.lines(lines))
      case .measures(let beacon, let distance):
        let heard = try packets(for: duration, "measuring, stand still").filter { $0.beacon == beacon }
        try output.write(text.lines(dialogue.measured(SignalSample.samples(of: heard, at: distance), of: beacon, at: distance)))
        isRepeated = false
      case .reviews(let calibration):
        let result = CalibrationText(style: output.style, width: output.width).text(calibration, adapter: roster.name)
        try output.write("\n" + result)
        isRepeated = false
      case .writes(let calibration):
        do {
          return try write(calibration, roster)
        } catch let failure as Failure {
          try output.write(text.lines(failure.description.split(separator: "\n").map(String.init) + ["y tries again."]))
        }
      case .ends: return try output.write("nothing was written\n")
      }
    }
  }

  private func packets(for time: Span, _ purpose: String) throws -> [Sighting] {
    try output.write("\(purpose) for \(time.text) ...\n")
    guard let sightings = try DaemonPackets(CommandLink(bus), for: time).sightings(roster: &roster) else { throw try interruption() }
    return sightings
  }

  private func line(_ input: AnswerInput) throws -> String {
    switch try input.nextAnswer() {
    case .line(let line):
      if !input.isTerminal { try output.write(text.lines([line])) }
      return line
    case .end: throw Failure(.noInput, "the input ended before the last answer; nothing was written")
    case .interrupted: throw try interruption()
    }
  }

  private func interruption() throws(OutputError) -> ExitCode {
    try output.write("\n")
    try TerminalOutput.standardError.write("beaconmon: interrupted; nothing was written\n")
    return ExitCode(130)
  }
}

extension AnswerInput {
  /// Waits for the next answer, and converts an error to the program's failure.
  func nextAnswer() throws(Failure) -> Answer {
    do throws(SystemCallError) { return try next() } catch { throw Failure(.osError, "standard input: \(error)") }
  }
}

extension Configuration {
  /// Returns the current offset in dB of an adapter.
  func rssiOffset(ofAdapterNamed name: String?) -> Double {
    let address = name.flatMap { BluetoothAddress($0) }
    return ranging.rssiOffset + (adapters.first { $0.address == address }?.rssiOffset ?? 0)
  }
}
