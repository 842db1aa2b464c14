import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import DBus
import EventLoop
import Failures
import Glibc
import Instants
import MonitorClient
import MonitorConfiguration
import Ranging
import Surveys
import Terminal

/// A survey of what the daemon receives, packet by packet, across its restarts.
///
/// The daemon sends the packets as in a recording: a survey of a recording has the same report.
final class DaemonSurvey {
  /// The report on the screen is computed again after this time.
  private static let pause = Span.seconds(1)
  /// The time until packets are requested again, after the daemon has ended or refused them.
  private static let retry = Span.seconds(5)
  private static let patience: Int32 = 500

  private let link: DaemonLink
  private let output: ScreenOutput
  private let time: TimeFormat
  private let isScreen: Bool
  private let configuration: Configuration
  private var survey: Survey
  private var reader: RecordingReader?
  private var roster: AdapterRoster
  /// The packets that were lost in recordings that have ended.
  private var lostBefore = 0
  private var screen: LiveScreen<SurveyContent>?
  private let places: SurveyPlaceChoice?
  /// The place at which the receiver stands; nil while it walks.
  private var standing: SurveyPlace?
  private var hangUp: SignalSource?
  private var isAvailable = true
  private var latestNote: String?
  /// Whether the daemon has sent packets before, so that a failure must not lose them.
  private var hasBegun = false
  private lazy var again = link.loop.timer { [unowned self] in if isAvailable { begin() } }
  private lazy var hearing = HearingCheck(link.loop)
  private lazy var timer = link.loop.timer { [unowned self] in show() }
  private lazy var deadline = link.loop.timer { [unowned self] in link.end() }

  init(
    _ link: DaemonLink, _ survey: Survey, _ configuration: Configuration, _ places: SurveyPlaceChoice?, isScreen: Bool,
    _ output: ScreenOutput, _ time: TimeFormat
  ) {
    self.places = places
    (self.link, self.survey, self.configuration) = (link, survey, configuration)
    (self.isScreen, self.output, self.time) = (isScreen, output, time)
    roster = AdapterRoster(configuration.adapters)
  }

  /// Walks until the user ends it.
  ///
  /// - Parameter duration: the longest time of the walk; nil for any.
  func result(after duration: Span?) throws -> SurveyResult {
    if isScreen {
      let content = SurveyContent(source: "beaconmond", places: places, style: output.style, time: time)
      screen = try output.live(link.loop, content) { [link] in link.end() }
      screen?.onChoice = { [unowned self] in stand(at: places?.place($0)) }
    }
    defer { screen?.finish() }
    // A connection that breaks ends the walk, whose report still goes to its files.
    hangUp = try signal(SIGHUP)
    link.onPresenceChange = { [unowned self] isAvailable in
      self.isAvailable = isAvailable
      again.disarm()
      note(isAvailable ? nil : "beaconmond has stopped; waiting for it")
      if isAvailable { link.client.checkAccess { [weak self] _ in self?.begin() } }
    }
    do throws(Failure) {
      try link.run { [unowned self] client in
        if let duration { deadline.arm(after: duration) }
        hearing.begin(client) { [unowned self] in note($0) }
        begin()
      }
    } catch {
      // The walk cannot be repeated.
      guard hasBegun else { throw error }
      screen?.finish()
      ScreenOutput.tell("\(error); the report has the packets received until then")
    }
    reader?.stop(patience: Self.patience)
    return SurveyResult(survey, present())
  }

  private func signal(_ number: Int32) throws(Failure) -> SignalSource {
    do throws(SystemCallError) {
      return try link.loop.signal(number) { [link] in link.end() }
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// Requests the packets.
  private func begin() {
    again.disarm()
    lostBefore += reader?.counts.lostPackets ?? 0
    let reader: RecordingReader
    do throws(SystemCallError) {
      reader = try RecordingReader(
        link.loop, onRecords: { _ in }, onEnd: { [unowned self] in again.arm(after: Self.retry) })
    } catch {
      return link.end(Failure(.osError, "\(error)"))
    }
    reader.keepsSenders = true
    reader.configure(configuration.adapters)
    reader.onSightings = { [unowned self] in take($0, from: $1) }
    self.reader = reader
    let options = RecordingOptions(limitSize: DataSize(octets: UInt64(Int64.max)), duration: RecordingOptions.longestDuration)
    let onRefusal = { [unowned self] (error: DBusError) in
      guard hasBegun else { return link.end(Failure(refusal: error)) }
      note("beaconmond sends no packets: \(error.message); retrying")
      again.arm(after: Self.retry)
    }
    link.record(into: reader, options, onRefusal: onRefusal) { [unowned self] in
      if !hasBegun { isScreen ? show() : note("the survey has begun; Ctrl-C ends it") }
      hasBegun = true
    }
  }

  private func take(_ sightings: [Sighting], from senders: [BluetoothAddress]) {
    guard let reader else { return }
    var sightings = sightings
    // An adapter keeps its number from one run of the daemon to the next.
    roster.renumber(&sightings, of: reader.roster)
    let base = configuration.ranging.rssiOffset
    survey.hear(sightings, from: senders) { [standing] _ in
      standing
    } offset: { [roster] in
      base + roster.rssiOffset(of: $0)
    }
  }

  /// Takes the place at which the receiver stands from now on; nil while it walks.
  private func stand(at place: SurveyPlace?) {
    standing = place
    screen?.update { $0.stand(at: place) }
  }

  private func present(isComplete: Bool = true) -> SurveyReport {
    survey.report(
      source: "beaconmond", lostPackets: lostBefore + (reader?.counts.lostPackets ?? 0), fitsPlaces: isComplete, adapterName: roster.name)
  }

  private func show() {
    timer.arm(after: Self.pause)
    let report = present(isComplete: false)
    screen?.update { $0.take(report, at: WallClock.now) }
  }

  private func note(_ text: String?) {
    // A reason that lasts is given once.
    guard text != latestNote else { return }
    latestNote = text
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.tell(text) }
  }
}
