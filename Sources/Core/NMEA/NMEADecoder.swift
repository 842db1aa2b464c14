import Instants
import Locations
import Records

/// From the octets of a receiver that speaks NMEA 0183 to what it says about each epoch, whoever talks and wherever the stream is split.
///
/// A receiver spreads an epoch over several sentences and does not say which is the last. That is learned from the fixes before, so a fix is
/// reported with its last sentence; the first one, and the first after an epoch without a fix, when the receiver's time changes or a moment later,
/// when nothing more comes. A heading is reported at once. Sentences that say nothing about either are counted as unused.
public struct NMEADecoder: Sendable {
  /// The standard says 82; receivers that send more digits exceed it.
  private static let longestLine = 255
  /// Within an epoch a receiver pauses for less.
  private static let pause = Span.milliseconds(200)

  public private(set) var counts = LineCounts<NMEAFault>()
  /// When to call `advance`; `.never` when nothing waits.
  public private(set) var deadline = Instant.never

  private var cutter = LineCutter(longest: longestLine)
  private var epoch: NMEAEpoch?
  /// The latest GST, and of what quality its epoch is.
  private var noise: (message: NMEAMessage, quality: NMEAMessage.Quality?)?
  /// The sentence that ends an epoch with a fix, as far as that is known.
  private var lastKind: NMEAMessage.Kind?
  /// What ended the epoch before without `lastKind`, which was lost once, or is not sent any more.
  private var shorterKind: NMEAMessage.Kind?
  /// The latest whole time of the receiver.
  private var latest: Instant?

  public init() {}

  /// - Parameter now: the clock of `deadline`.
  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, at now: Instant, into reports: inout [SourceReport]) {
    let lines = cutter.lines(in: octets)
    counts.note(.length, total: cutter.tooLong)
    for line in lines {
      do throws(NMEAFault) {
        let sentence = try NMEASentence(line)
        if let message = try NMEAMessage(sentence) {
          take(message, at: now, into: &reports)
        } else if let heading = try HeadingReading(sentence) {
          reports.append(.heading(heading))
        } else {
          counts.noteUnused()
          continue
        }
        counts.noteUsed()
      } catch {
        counts.note(error)
      }
    }
  }

  /// Reports an epoch for which nothing more came.
  public mutating func advance(to now: Instant, into reports: inout [SourceReport]) {
    if now >= deadline { tell(into: &reports) }
  }

  /// The stream has ended, and with it its last epoch.
  public mutating func finish(into reports: inout [SourceReport]) {
    tell(into: &reports)
    epoch = nil
  }

  /// The receiver is another one from here on, or another life of the same: what it had begun to say is lost, and nothing is known of its time.
  public mutating func forget() {
    cutter.forget()
    (epoch, noise, lastKind, shorterKind, latest, deadline) = (nil, nil, nil, nil, nil, .never)
  }

  private mutating func take(_ message: NMEAMessage, at now: Instant, into reports: inout [SourceReport]) {
    if begins(message) {
      tell(into: &reports)
      epoch = NMEAEpoch(message)
    } else {
      epoch?.absorb(message)
    }
    if message.kind == .gst { noise = (message, nil) }
    if noise?.message.timeOfDay == epoch?.timeOfDay { noise?.quality = epoch?.quality }
    guard let epoch, !epoch.isTold else { return }
    deadline = now + Self.pause
    if epoch.hasPosition, message.kind == lastKind { tell(into: &reports) }
  }

  /// Sentences without a time go with those around them.
  private func begins(_ message: NMEAMessage) -> Bool {
    guard message.kind != .gsa, message.kind != .vtg else { return false }
    guard let epoch else { return true }
    if message.timeOfDay != epoch.timeOfDay { return true }
    return message.timeOfDay == nil && epoch.kinds.contains(message.kind)
  }

  private mutating func tell(into reports: inout [SourceReport]) {
    deadline = .never
    guard var epoch else { return }
    learnLastKind(of: epoch)
    guard !epoch.isTold else { return }
    if let noise { epoch.borrow(noise: noise.message, of: noise.quality) }
    epoch.isTold = true
    self.epoch = epoch
    reports.append(epoch.report(time: time(of: epoch)))
  }

  /// Learns from an epoch which sentence is the last one of a fix.
  ///
  /// Without a fix a receiver leaves out sentences, such as GST, that come again with the next fix: nothing is known then. An epoch that only lacks the last
  /// sentence of those before it counts once it has happened twice, for a sentence can be lost on the line.
  private mutating func learnLastKind(of epoch: NMEAEpoch) {
    guard epoch.isFix else {
      (lastKind, shorterKind) = (nil, nil)
      return
    }
    if let lastKind, !epoch.kinds.contains(lastKind), shorterKind != epoch.last {
      shorterKind = epoch.last
    } else {
      (lastKind, shorterKind) = (epoch.last, nil)
    }
  }

  /// Only RMC has a date. A time without one belongs to the day that brings it nearest to the latest whole time.
  private mutating func time(of epoch: NMEAEpoch) -> Instant? {
    guard let timeOfDay = epoch.timeOfDay else { return nil }
    let inDay = Span(microseconds: timeOfDay)
    if let day = epoch.day {
      latest = day + inDay
      return latest
    }
    guard let latest else { return nil }
    let day = Span.seconds(86_400)
    let midnight = Instant(microseconds: latest.microseconds - latest.microseconds % day.microseconds)
    let candidates = [midnight + inDay - day, midnight + inDay, midnight + inDay + day]
    return candidates.min { abs(($0 - latest).microseconds) < abs(($1 - latest).microseconds) }
  }
}
