import DBus
import EventLoop
import Instants
import Locations
import Orientation
import Records
import Scheduling

/// The compass of iio-sensor-proxy, which knows magnetic headings only.
///
/// The bus policy that comes with iio-sensor-proxy reserves the compass to GeoClue, so an administrator must permit it to beaconmond.
public final class SensorProxySource: HeadingSource {
  /// The reason why a heading is not used.
  enum Refusal: UInt8, CaseIterable, Sendable {
    /// iio-sensor-proxy sends −1 while its heading is unknown.
    case field
  }

  public let name = "iio-sensor-proxy"
  public let device: String? = nil
  public let hasAccelerometer = true
  public let patience = Span.seconds(30)
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  public private(set) var health = HeadingHealth(.off)
  private let loop: Loop
  private let connection: DBusConnection?
  private var watch: NameWatch?
  private var changes: SignalSubscription?
  private var hasCompass = false
  private var isOn = false
  private var samples: UInt64 = 0
  private var refusals = Tally<Refusal>()
  private var deniedUntil = Instant(microseconds: .min)
  /// Drops the answers to earlier claims.
  private let answers = StaleAnswerFilter()
  private lazy var timer = loop.timer { [unowned self] in readHeading() }
  private lazy var denialExpiry = loop.timer { [unowned self] in onHealthChange() }

  static let service = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy/Compass"
  static let interface = "net.hadess.SensorProxy.Compass"
  /// A device at rest sends no signal, so its heading is read as well.
  private static let interval = Span.seconds(1)
  /// The policy of the bus changes only when an administrator changes it.
  private static let pauseAfterDenial = Span.seconds(600)

  /// - Parameter connection: the system bus; nil if there is none.
  public init(_ loop: Loop, _ connection: DBusConnection?) {
    (self.loop, self.connection) = (loop, connection)
    let rule = MatchRule(
      sender: Self.service, path: Self.path, interface: StandardName.properties, member: "PropertiesChanged", argument0: Self.interface)
    changes = connection?.addMatch(rule) { [unowned self] in if $0.signature == "sa{sv}as" { propertiesChanged($0.arguments[1]) } }
    watch = connection?.watchName(Self.service) { [unowned self] in ownerChanged($0) }
  }

  public var isPresent: Bool { hasCompass && loop.now >= deniedUntil }
  public var counts: HeadingCounts { HeadingCounts(samples: samples, refused: refusals.counts) }

  public func start() {
    guard !isOn else { return }
    isOn = true
    health = HeadingHealth(.starting)
    guard connection != nil, hasCompass else {
      return fail(.gone, "iio-sensor-proxy has no compass; install it, or plug in a magnetometer")
    }
    answers.renew()
    let completion = answers.current { [weak self] (reply: Result<[DBusValue], DBusError>) in
      guard let self, isOn else { return }
      switch reply {
      case .success: readHeading()
      case .failure(let error): refuse(error)
      }
    }
    call("ClaimCompass", [], completion: completion)
  }

  public func stop() {
    guard isOn else { return }
    isOn = false
    timer.disarm()
    answers.renew()
    if health.state == .starting || health.state == .measuring {
      health = HeadingHealth(.off)
      call("ReleaseCompass", []) { _ in /* A service that has ended has no claim. */ }
    }
  }

  // MARK: - The service

  private func ownerChanged(_ owner: String?) {
    deniedUntil = Instant(microseconds: .min)
    guard owner != nil else {
      let hadCompass = hasCompass
      hasCompass = false
      if isOn { fail(.gone, "iio-sensor-proxy has stopped") } else if hadCompass { onHealthChange() }
      return
    }
    // An owner that follows another one has no claim of this process.
    if isOn { fail(.gone, "iio-sensor-proxy was restarted") }
    get("HasCompass") { [weak self] in self?.note(hasCompass: $0.boolean) }
  }

  private func note(hasCompass value: Bool?) {
    guard let value, watch?.owner != nil, value != hasCompass else { return }
    hasCompass = value
    if value, !isOn { health = HeadingHealth(.off) }
    if !value, isOn { fail(.gone, "iio-sensor-proxy has lost its compass") } else { onHealthChange() }
  }

  private func propertiesChanged(_ values: DBusValue) {
    if let value = values["HasCompass"]?.boolean { note(hasCompass: value) }
    if isOn, let degrees = values["CompassHeading"]?.double { take(degrees) }
  }

  private func readHeading() {
    let completion = answers.current { [weak self] (value: DBusValue) in
      guard let self, isOn else { return }
      timer.arm(after: Self.interval)
      if let degrees = value.double { take(degrees) }
    }
    get("CompassHeading", completion: completion)
  }

  private func take(_ degrees: Double) {
    guard let reading = HeadingReading(magneticHeading: degrees) else {
      refusals.count(.field)
      return onMeasurement(.noHeading, loop.now)
    }
    samples += 1
    if health.state != .measuring {
      health = HeadingHealth(.measuring)
      onHealthChange()
    }
    onMeasurement(.heading(reading), loop.now)
  }

  // MARK: - Failures

  private func refuse(_ error: DBusError) {
    guard error.isStandard("AccessDenied") else { return fail(.failing, "iio-sensor-proxy: \(error.message)") }
    deniedUntil = loop.now + Self.pauseAfterDenial
    denialExpiry.arm(at: deniedUntil)
    fail(
      .failing,
      "the bus reserves the compass of iio-sensor-proxy to GeoClue; permit it to the user of beaconmond as beaconmon.toml(5) shows")
  }

  private func fail(_ state: HeadingSourceStatus.State, _ note: String) {
    timer.disarm()
    answers.renew()
    health = HeadingHealth(state, note)
    onHealthChange()
  }

  private func get(_ property: String, completion: @escaping (DBusValue) -> Void) {
    connection?.call(
      destination: Self.service, path: Self.path, interface: StandardName.properties, member: "Get",
      [.string(Self.interface), .string(property)]
    ) { [weak self] reply in
      switch reply {
      case .success(let values): if let value = values.first { completion(value) }
      case .failure(let error): if self?.isOn == true { self?.refuse(error) }
      }
    }
  }

  private func call(_ member: String, _ arguments: [DBusValue], completion: @escaping (Result<[DBusValue], DBusError>) -> Void) {
    connection?.call(
      destination: Self.service, path: Self.path, interface: Self.interface, member: member, arguments, completion: completion)
  }
}
