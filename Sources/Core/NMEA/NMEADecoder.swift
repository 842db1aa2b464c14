import Instants
import Locations
import Records

/// Decodes the octets of an NMEA 0183 receiver, in chunks of any size, into a report for each epoch.
/// The talker does not matter.
///
/// A receiver spreads an epoch over several sentences and does not mark the last one. The decoder learns the last sentence from earlier
/// fixes, and reports a fix with it. It reports the first fix, and the first after an epoch without a fix, when the receiver's time
/// changes, or after a short pause of the line. It reports a heading at once. Sentences with neither a position nor a heading
/// are counted as unused.
public struct NMEADecoder: Sendable {
  /// The maximum line length; the standard has 82, which receivers with more digits exceed.
  private static let longestLine = 255
  /// The longest pause of a receiver within an epoch.
  private static let pause = Span.milliseconds(200)

  public private(set) var counts = LineCounts<NMEAFault>()
  /// The time of the next call of `advance`; `.never` if no epoch is pending.
  public private(set) var deadline = Instant.never

  private var cutter = LineCutter(longest: longestLine)
  private var epoch: NMEAEpoch?
  /// The latest GST, and the quality of its epoch.
  private var noise: (message: NMEAMessage, quality: NMEAMessage.Quality?)?
  /// The sentence that ends an epoch with a fix, if known.
  private var lastKind: NMEAMessage.Kind?
  /// The last sentence of an epoch without `lastKind`, which was lost once or is no longer sent.
  private var shorterKind: NMEAMessage.Kind?
  /// The receiver's latest time that includes a date.
  private var latest: Instant?

  public init() {}

  /// Decodes octets.
  ///
  /// - Parameter now: on the clock of `deadline`.
  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, at now: Instant, into reports: inout [SourceReport]) {
    // On a slow line, unused sentences such as GSV separate the sentences of an epoch by more than the pause.
    if deadline != .never, !octets.isEmpty { deadline = now + Self.pause }
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

  /// Reports a pending epoch after a pause.
  public mutating func advance(to now: Instant, into reports: inout [SourceReport]) {
    if now >= deadline { report(into: &reports) }
  }

  /// Ends the stream and its last epoch.
  public mutating func finish(into reports: inout [SourceReport]) {
    report(into: &reports)
    epoch = nil
  }

  /// Discards the pending epoch and all knowledge of time, because the receiver was replaced or restarted.
  public mutating func forget() {
    cutter.forget()
    (epoch, noise, lastKind, shorterKind, latest, deadline) = (nil, nil, nil, nil, nil, .never)
  }

  private mutating func take(_ message: NMEAMessage, at now: Instant, into reports: inout [SourceReport]) {
    if begins(message) {
      report(into: &reports)
      epoch = NMEAEpoch(message)
    } else {
      epoch?.absorb(message)
    }
    if message.kind == .gst { noise = (message, nil) }
    if noise?.message.timeOfDay == epoch?.timeOfDay { noise?.quality = epoch?.quality }
    guard let epoch, !epoch.isReported else { return }
    deadline = now + Self.pause
    if epoch.hasPosition, message.kind == lastKind { report(into: &reports) }
  }

  /// Returns whether a sentence begins a new epoch; one without a time belongs to its neighbours.
  private func begins(_ message: NMEAMessage) -> Bool {
    guard message.kind != .gsa, message.kind != .vtg else { return false }
    guard let epoch else { return true }
    if message.timeOfDay != epoch.timeOfDay { return true }
    return message.timeOfDay == nil && epoch.kinds.contains(message.kind)
  }

  private mutating func report(into reports: inout [SourceReport]) {
    deadline = .never
    guard var epoch else { return }
    learnLastKind(of: epoch)
    guard !epoch.isReported else { return }
    if let noise { epoch.borrow(noise: noise.message, of: noise.quality) }
    epoch.isReported = true
    self.epoch = epoch
    reports.append(epoch.report(time: time(of: epoch)))
  }

  /// Learns from an epoch which sentence is the last one of a fix.
  ///
  /// A receiver without a fix omits sentences, such as GST, that return with the next fix, so the last sentence is then unknown. An epoch
  /// that only lacks the last sentence of those before it must occur twice, because a sentence can be lost on the line.
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

  /// Returns the time of an epoch.
  /// Only RMC has a date; a time without a date gets the day that brings it nearest to the latest complete time.
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

/// The error in a line that is not a valid NMEA 0183 sentence.
public enum NMEAFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The line is too long.
  case length
  /// The line has no `$` or `!` at its beginning, no address, or octets that are not printable ASCII.
  case garbage
  /// The checksum is wrong or absent; without one, a sentence cannot be distinguished from noise.
  case checksum
  /// A field has an invalid value, or the sentence has too few fields.
  case field
}
