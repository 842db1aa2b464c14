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
  private static let patience: Int32 = 500

  private let link: CommandLink
  private let output: ScreenOutput
  private let time: TimeFormat
  private let isScreen: Bool
  private let recordings: SurveyRecordings
  private let walk: SurveyWalk
  private var screen: LiveScreen<SurveyContent>?
  private let places: SurveyPlaceChoice?
  private var hangUp: SignalSource?
  private lazy var hearing = HearingCheck(link.loop)

  init(
    _ link: CommandLink, _ survey: Survey, _ configuration: Configuration, _ places: SurveyPlaceChoice?, isScreen: Bool,
    _ output: ScreenOutput, _ time: TimeFormat
  ) {
    (self.link, self.places) = (link, places)
    (self.isScreen, self.output, self.time) = (isScreen, output, time)
    recordings = SurveyRecordings(link, configuration.adapters)
    walk = SurveyWalk(
      link.loop, recordings, survey, AdapterRoster(configuration.adapters), rssiOffset: configuration.ranging.rssiOffset)
    recordings.onSightings = { [unowned walk] in walk.take($0, from: $1, of: $2) }
    if isScreen { walk.onReport = { [unowned self] report in screen?.update { $0.take(report, at: WallClock.now) } } }
    walk.onNote = { [unowned self] in note($0) }
    walk.onEnd = { [link] in link.end($0) }
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
    link.onPresenceChange = { [walk] in walk.presenceChanged($0) }
    do throws(Failure) {
      try link.run { [unowned self] client in
        hearing.begin(client) { [unowned self] in note($0) }
        walk.begin(for: duration)
      }
    } catch {
      let note = try walk.keepReport(after: error)
      screen?.finish()
      ScreenOutput.note(note)
    }
    recordings.latest?.stop(patience: Self.patience)
    return SurveyResult(walk.survey, walk.report)
  }

  private func signal(_ number: Int32) throws(Failure) -> SignalSource {
    do throws(SystemCallError) {
      return try link.loop.signal(number) { [link] in link.end() }
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// Takes the place at which the receiver stands from now on; nil while it walks.
  private func stand(at place: SurveyPlace?) {
    walk.stand(at: place)
    screen?.update { $0.stand(at: place) }
  }

  private func note(_ text: String?) {
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.note(text) }
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
