import EventLoop
import Instants
import LocationArbitration
import Locations
import NMEA
import Positioning
import Records

/// A receiver that sends NMEA 0183 over a serial line or TCP.
public final class NMEASource: ReceiverSource, CompassSource {
  public let ability: SourceAbility
  var lineCounts: LineStatistics? { link.counted(decoder.counts.statistics) }

  private let loop: Loop
  let intake: FixValidator
  private let link: StreamLink
  private var decoder = NMEADecoder()
  private lazy var pause = loop.timer { [unowned self] in advance() }
  private var isOn = false

  public convenience init(_ loop: Loop, at address: ReceiverAddress) {
    self.init(loop, at: address) { .now(loop) }
  }

  init(_ loop: Loop, at address: ReceiverAddress, patience: Span = FixValidator.patience, clock: @escaping () -> Receipt) {
    self.loop = loop
    ability = SourceAbility(.nmea, typicalAccuracy: address.typicalAccuracy, cost: .high, isSatelliteReceiver: true)
    intake = FixValidator(loop, .nmea, .steady(patience), clock: clock)
    link = StreamLink(loop, to: address)
    link.onOpen = { [unowned self] in intake.begin() }
    link.onOctets = { [unowned self] in receive($0) }
    link.onFlood = { [unowned self] in intake.noteFlood() }
    link.onLost = { [unowned self] in lose($0) }
  }

  public func start(for accuracy: DesiredAccuracy) {
    guard !isOn else { return }
    isOn = true
    intake.begin()
    link.open()
  }

  public func stop() {
    guard isOn else { return }
    isOn = false
    link.close()
    pause.disarm()
    decoder.forget()
    intake.end()
  }

  private func receive(_ octets: ArraySlice<UInt8>) {
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
    for report in reports where isOn { intake.take(report) }
  }

  private func lose(_ health: LocationHealth) {
    pause.disarm()
    decoder.forget()
    intake.fail(health.state, health.reason ?? "it is unavailable")
  }
}

extension Location.Source {
  /// A receiver that sends NMEA 0183.
  static let nmea = Location.Source("nmea")
}
