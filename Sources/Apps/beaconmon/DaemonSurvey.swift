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
  private static let patience: Int32 = 500

  private let link: CommandLink
  private let output: ScreenOutput
  private let time: TimeFormat
  private let isScreen: Bool
  private let rssiOffset: Double
  private var survey: Survey
  private let recordings: SurveyRecordings
  private let packets: PacketFollower
  private var roster: AdapterRoster
  private var screen: LiveScreen<SurveyContent>?
  private let places: SurveyPlaceChoice?
  /// The place at which the receiver stands; nil while it walks.
  private var standing: SurveyPlace?
  private var hangUp: SignalSource?
  private lazy var hearing = HearingCheck(link.loop)
  private lazy var timer = link.loop.timer { [unowned self] in show() }
  private lazy var deadline = link.loop.timer { [unowned self] in link.end() }

  init(
    _ link: CommandLink, _ survey: Survey, _ configuration: Configuration, _ places: SurveyPlaceChoice?, isScreen: Bool,
    _ output: ScreenOutput, _ time: TimeFormat
  ) {
    self.places = places
    (self.link, self.survey, rssiOffset) = (link, survey, configuration.ranging.rssiOffset)
    (self.isScreen, self.output, self.time) = (isScreen, output, time)
    roster = AdapterRoster(configuration.adapters)
    recordings = SurveyRecordings(link, configuration.adapters)
    packets = PacketFollower(link.loop, recordings)
    recordings.onSightings = { [unowned self] in take($0, from: $1, of: $2) }
    packets.onBegin = { [unowned self] in self.isScreen ? show() : note("the survey has begun; Ctrl-C ends it") }
    packets.onNote = { [unowned self] in note($0) }
    packets.onEnd = { [link] in link.end($0) }
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
    link.onPresenceChange = { [unowned self] in packets.presenceChanged($0) }
    do throws(Failure) {
      try link.run { [unowned self] client in
        if let duration { deadline.arm(after: duration) }
        hearing.begin(client) { [unowned self] in note($0) }
        packets.begin()
      }
    } catch {
      // The walk cannot be repeated.
      guard packets.hasBegun else { throw error }
      screen?.finish()
      ScreenOutput.tell("\(error); the report has the packets received until then")
    }
    recordings.latest?.stop(patience: Self.patience)
    return SurveyResult(survey, present())
  }

  private func signal(_ number: Int32) throws(Failure) -> SignalSource {
    do throws(SystemCallError) {
      return try link.loop.signal(number) { [link] in link.end() }
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  private func take(_ sightings: [Sighting], from senders: [BluetoothAddress], of latest: AdapterRoster) {
    var sightings = sightings
    // An adapter keeps its number from one run of the daemon to the next.
    roster.renumber(&sightings, of: latest)
    survey.hear(sightings, from: senders) { [standing] _ in
      standing
    } offset: { [roster, rssiOffset] in
      rssiOffset + roster.rssiOffset(of: $0)
    }
  }

  /// Takes the place at which the receiver stands from now on; nil while it walks.
  private func stand(at place: SurveyPlace?) {
    standing = place
    screen?.update { $0.stand(at: place) }
  }

  private func present(isComplete: Bool = true) -> SurveyReport {
    survey.report(source: "beaconmond", lostPackets: packets.lostPackets, fitsPlaces: isComplete, adapterName: roster.name)
  }

  private func show() {
    timer.arm(after: Self.pause)
    let report = present(isComplete: false)
    screen?.update { $0.take(report, at: WallClock.now) }
  }

  private func note(_ text: String?) {
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.tell(text) }
  }
}

/// The recordings of one walk, one after the other.
private final class SurveyRecordings: PacketLink {
  private let link: CommandLink
  private let adapters: [AdapterSettings]
  /// The recording that runs, or the last one.
  private(set) var latest: RecordingReader?
  /// Receives sightings, their senders, and the adapters of their recording.
  var onSightings: ([Sighting], [BluetoothAddress], AdapterRoster) -> Void = { _, _, _ in }

  init(_ link: CommandLink, _ adapters: [AdapterSettings]) { (self.link, self.adapters) = (link, adapters) }

  func requestPackets(_ handler: @escaping (PacketEvent) -> Void) throws(Failure) -> any PacketStream {
    let reader: RecordingReader
    do throws(SystemCallError) {
      reader = try RecordingReader(link.loop, onRecords: { _ in }, onEnd: { handler(.ended) })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    reader.keepsSenders = true
    reader.configure(adapters)
    reader.onSightings = { [unowned self, unowned reader] in onSightings($0, $1, reader.roster) }
    latest = reader
    let options = RecordingOptions(limitSize: DataSize(octets: UInt64(Int64.max)), duration: RecordingOptions.longestDuration)
    link.record(into: reader, options) { error in
      handler(.refused(reason: error.message, failure: Failure(refusal: error)))
    } onStart: {
      handler(.began)
    }
    return reader
  }
}

extension RecordingReader: PacketStream {
  public var lostPackets: Int { counts.lostPackets }
}
