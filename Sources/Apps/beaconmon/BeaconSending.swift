import BeaconAdvertising
import BlueZ
import DBus
import EventLoop
import Failures
import Instants
import ProgramSupport
import Terminal

/// Sends one beacon and prints its state, across all failures of BlueZ.
final class BeaconSending {
  private let program: ProgramLoop
  private let advertiser: BlueZAdvertiser
  private let transmission: BeaconTransmission
  private let duration: Span?
  private let times: TimeOptions
  private var hasBegun = false
  private let output = ScreenOutput()
  private lazy var end = program.loop.timer { [unowned self] in program.end() }

  /// - Parameter duration: from the first advertisement; nil until Ctrl-C.
  init(_ transmission: BeaconTransmission, for duration: Span?, _ times: TimeOptions) throws(Failure) {
    self.times = times
    program = try ProgramLoop()
    self.transmission = transmission
    self.duration = duration
    do throws(DBusError) {
      advertiser = try BlueZAdvertiser(program.loop)
    } catch {
      throw Failure(.unavailable, error.message)
    }
  }

  func run() throws(Failure) {
    advertiser.onChange = { [unowned self] in follow($0) }
    advertiser.transmissions = [transmission]
    try program.run()
  }

  private func follow(_ status: AdvertisingStatus) {
    switch status.state {
    case .starting: break
    case .advertising(let sender):
      say(status, sender)
      if !hasBegun, let duration { end.arm(after: duration) }
      hasBegun = true
    case .waiting(let obstacle):
      // The user must fix an obstacle at the start; a later one is expected to go away.
      guard hasBegun else { return program.end(Failure(obstacle)) }
      ScreenOutput.tell("\(obstacle); waiting for it")
    }
  }

  private func say(_ status: AdvertisingStatus, _ sender: AdvertisingStatus.Sender) {
    let beacon = transmission.beacon
    let power = transmission.transmitPower.map { ", transmit power \($0) dBm" } ?? ""
    let since = output.timeFormat(times).text(WallClock.time(of: status.since, on: program.loop))
    output.write(
      """
      advertising \(beacon.identity)
        \(beacon.measuredPower) dBm at 1 m, every \(sender.intervals.text)\(power)
        by \(sender.address) since \(since); \(duration.map { "for \($0.text), " } ?? "")Ctrl-C ends it

      """)
    for note in sender.notes { ScreenOutput.tell(note) }
    if output.isClosed { program.end(output.failure) }
  }
}

extension ClosedRange<Span> {
  /// The text `100ms to 150ms`, or `1s`.
  fileprivate var text: String { lowerBound == upperBound ? lowerBound.text : "\(lowerBound.text) to \(upperBound.text)" }
}

extension Failure {
  fileprivate init(_ obstacle: AdvertisingObstacle) {
    switch obstacle {
    case .denied: self.init(.noPermission, "\(obstacle)")
    case .full: self.init(.temporaryFailure, "\(obstacle)")
    default: self.init(.unavailable, "\(obstacle)")
    }
  }
}
