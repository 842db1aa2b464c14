import EventLoop
import Instants
import LocationArbitration
import Locations
import NMEA
import Positioning
import Records

/// A receiver that sends NMEA 0183 over a serial line or TCP.
public final class NMEASource: LinkedSource {
  public let ability: SourceAbility
  var lineCounts: LineStatistics? { link.counted(decoder.counts.statistics) }

  private let loop: Loop
  let validator: FixValidator
  let link: StreamLink
  private var decoder = NMEADecoder()
  private lazy var pause = loop.timer { [unowned self] in advance() }

  public convenience init(_ loop: Loop, at address: ReceiverAddress) {
    self.init(loop, at: address) { .now(loop) }
  }

  init(_ loop: Loop, at address: ReceiverAddress, clock: @escaping () -> Receipt) {
    self.loop = loop
    ability = SourceAbility(.nmea, typicalAccuracy: address.typicalAccuracy, cost: .high, isSatelliteReceiver: true)
    validator = FixValidator(loop, .nmea, .steady(FixValidator.patience), clock: clock)
    link = StreamLink(loop, to: address)
    followLink()
  }

  func open() { validator.begin() }

  func close() {
    pause.disarm()
    decoder.forget()
  }

  func lose(_ health: LocationHealth) {
    close()
    validator.fail(health.state, health.reason ?? "it is unavailable")
  }

  func receive(_ octets: ArraySlice<UInt8>) {
    var reports: [SourceReport] = []
    let used = decoder.counts.used
    decoder.decode(octets, at: loop.now, into: &reports)
    if decoder.counts.used > used { link.noteSense() }
    pause.arm(at: decoder.deadline)
    report(reports)
  }

  private func advance() {
    var reports: [SourceReport] = []
    decoder.advance(to: loop.now, into: &reports)
    report(reports)
  }

  private func report(_ reports: [SourceReport]) {
    for report in reports where isOn { validator.take(report) }
  }
}

extension Location.Source {
  /// A receiver that sends NMEA 0183.
  static let nmea = Location.Source("nmea")
}
