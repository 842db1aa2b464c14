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
  private var claim = CompassClaim()
  private var isOn = false
  private var samples: UInt64 = 0
  private var refusals = Tally<Refusal>()
  /// Drops the answers to earlier claims.
  private let answers = StaleAnswerFilter()
  /// Drops the answers of an earlier process of the service.
  private let serviceAnswers = StaleAnswerFilter()
  private lazy var timer = loop.timer { [unowned self] in advance() }

  static let service = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy/Compass"
  static let interface = "net.hadess.SensorProxy.Compass"

  /// - Parameter connection: the system bus; nil if there is none.
  public init(_ loop: Loop, _ connection: DBusConnection?) {
    (self.loop, self.connection) = (loop, connection)
    let rule = MatchRule(
      sender: Self.service, path: Self.path, interface: StandardName.properties, member: "PropertiesChanged", argument0: Self.interface)
    changes = connection?.addMatch(rule) { [unowned self] in if $0.signature == "sa{sv}as" { propertiesChanged($0.arguments[1]) } }
    watch = connection?.watchName(Self.service) { [unowned self] in ownerChanged($0) }
  }

  public var isPresent: Bool { claim.isAvailable }
  public var counts: HeadingCounts { HeadingCounts(samples: samples, refused: refusals.counts) }

  public func start() {
    guard !isOn else { return }
    isOn = true
    health = HeadingHealth(.starting)
    guard connection != nil, claim.hasCompass else {
      return fail(.gone, "iio-sensor-proxy has no compass; install it, or plug in a magnetometer")
    }
    answers.renew()
    claim.begin()
    let completion = answers.current { [weak self] (reply: Result<[DBusValue], DBusError>) in
      guard let self, isOn else { return }
      switch reply {
      case .success:
        claim.grant(at: loop.now)
        advance()
      case .failure(let error): refuse(error)
      }
    }
    call("ClaimCompass", completion: completion)
  }

  public func stop() {
    guard isOn else { return }
    isOn = false
    release()
    if health.state == .starting || health.state == .measuring { health = HeadingHealth(.off) }
  }

  private func release() {
    answers.renew()
    if claim.end() { call("ReleaseCompass") { _ in /* A service that has ended has no claim. */ } }
    timer.arm(at: claim.deadline)
  }

  /// Takes the steps that are due.
  private func advance() {
    while let step = claim.nextStep(at: loop.now) {
      switch step {
      case .ask: askForCompass()
      case .read: readHeading()
      case .offer: onHealthChange()
      }
    }
    timer.arm(at: claim.deadline)
  }

  // MARK: - The service

  private func ownerChanged(_ owner: String?) {
    let hadCompass = claim.hasCompass
    claim.changeService(isRunning: owner != nil, at: loop.now)
    serviceAnswers.renew()
    if isOn {
      fail(.gone, owner == nil ? "iio-sensor-proxy has stopped" : "iio-sensor-proxy was restarted")
    } else if hadCompass {
      onHealthChange()
    }
    advance()
  }

  private func askForCompass() {
    get("HasCompass", serviceAnswers) { [weak self] in
      switch $0 {
      case .success(let value): self?.note(hasCompass: value.boolean)
      case .failure: self?.note(hasCompass: nil)
      }
    }
  }

  private func note(hasCompass value: Bool?) {
    defer { timer.arm(at: claim.deadline) }
    guard claim.take(hasCompass: value, at: loop.now) else { return }
    if claim.hasCompass, !isOn { health = HeadingHealth(.off) }
    if !claim.hasCompass, isOn { fail(.gone, "iio-sensor-proxy has lost its compass") } else { onHealthChange() }
  }

  private func propertiesChanged(_ values: DBusValue) {
    if let value = values["HasCompass"]?.boolean { note(hasCompass: value) }
    // The claim of another program may cause signals as well.
    if claim.isClaimed, let degrees = values["CompassHeading"]?.double { take(degrees) }
  }

  private func readHeading() {
    get("CompassHeading", answers) { [weak self] reply in
      guard let self, isOn else { return }
      switch reply {
      case .success(let value):
        claim.takeReading(at: loop.now)
        timer.arm(at: claim.deadline)
        if let degrees = value.double { take(degrees) }
      case .failure(let error): refuse(error)
      }
    }
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
    claim.deny(at: loop.now)
    fail(
      .failing,
      "the bus reserves the compass of iio-sensor-proxy to GeoClue; permit it to the user of beaconmond as beaconmon.toml(5) shows")
  }

  private func fail(_ state: HeadingSourceStatus.State, _ note: String) {
    release()
    health = HeadingHealth(state, note)
    onHealthChange()
  }

  private func get(_ property: String, _ filter: StaleAnswerFilter, completion: @escaping (Result<DBusValue, DBusError>) -> Void) {
    let completion = filter.current { (reply: Result<[DBusValue], DBusError>) in
      completion(reply.flatMap { $0.first.map { .success($0) } ?? .failure(.inconsistentMessage("the answer has no value")) })
    }
    connection?.call(
      destination: Self.service, path: Self.path, interface: StandardName.properties, member: "Get",
      [.string(Self.interface), .string(property)], completion: completion)
  }

  private func call(_ member: String, completion: @escaping (Result<[DBusValue], DBusError>) -> Void) {
    connection?.call(destination: Self.service, path: Self.path, interface: Self.interface, member: member, [], completion: completion)
  }
}
