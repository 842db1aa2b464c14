import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants

/// The sightings in the packets that the daemon receives during some seconds, as in a recording.
final class DaemonPackets {
  /// The maximum number of octets of packets: minutes in a crowd.
  private static let limit = DataSize(octets: 64 << 20)
  /// The time limit, in milliseconds, for packets that are still in transit at the end.
  private static let patience: Int32 = 2000

  private let link: CommandLink
  private let duration: Span
  private var sightings: [Sighting] = []
  private var reader: RecordingReader?
  private var hasEnded = false
  private lazy var hearing = HearingCheck(link.loop)
  private lazy var end = link.loop.timer { [unowned self] in
    hasEnded = true
    link.end()
  }

  init(_ link: CommandLink, for duration: Span) {
    (self.link, self.duration) = (link, duration)
  }

  /// Returns the sightings; nil if a signal ended it.
  ///
  /// - Parameter roster: the settings of the adapters, and their numbers, which are the same in all calls.
  func sightings(roster: inout AdapterRoster) throws(Failure) -> [Sighting]? {
    do throws(SystemCallError) {
      reader = try RecordingReader(link.loop, onRecords: { _ in }, onEnd: { [link] in link.end() })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    reader?.configure(roster.settings)
    reader?.onSightings = { [unowned self] heard, _ in sightings += heard }
    try link.run { [unowned self] client in
      hearing.begin(client) { [unowned self] obstacle in
        if let obstacle { link.end(Failure(.unavailable, obstacle)) } else { record() }
      }
    }
    reader?.stop(patience: Self.patience)
    guard hasEnded else {
      if let reader, reader.farEnd == nil, reader.hasEnded {
        throw Failure(.unavailable, "beaconmond has ended the recording\(reader.reason.map { ": \($0)" } ?? ""); start it again")
      }
      return nil
    }
    if let reader { roster.renumber(&sightings, of: reader.roster) }
    return sightings
  }

  private func record() {
    guard let reader else { return }
    link.record(into: reader, RecordingOptions(limitSize: Self.limit, duration: RecordingOptions.longestDuration)) { [unowned self] in
      end.arm(after: duration)
    }
  }
}
