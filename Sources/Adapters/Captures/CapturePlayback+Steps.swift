import BeaconAdvertising
import Instants
import TrackRecordings

// MARK: Steps for the listener

extension CapturePlayback {
  func reportStart() {
    guard !hasReportedStart, let beginning else { return }
    hasReportedStart = true
    listener(.started(at: beginning))
  }

  func report(through time: Instant) {
    var due = PlaybackCues()
    for buffer in buffers {
      let cues = buffer.pending.take(through: time)
      due.sightings = due.sightings.isEmpty ? cues.sightings : due.sightings + cues.sightings
      due.reports += cues.reports
      due.motions += cues.motions
    }
    for report in due.reports {
      reportMotions(through: report.time, of: &due)
      let moment = reportSightings(through: report.time, of: &due)
      listener(.located(report, at: moment))
    }
    reportMotions(through: .never, of: &due)
    reported = max(reported, time)
    listener(.heard(due.sightings, through: time))
  }

  private func reportMotions(through time: Instant, of due: inout PlaybackCues) {
    for motion in due.motions.takePrefix(while: { $0.time <= time }) {
      let moment = reportSightings(through: motion.time, of: &due)
      listener(.moved(motion.motion, at: moment))
    }
  }

  /// Delivers the sightings before a moment, and returns the moment.
  private func reportSightings(through time: Instant, of due: inout PlaybackCues) -> Instant {
    let moment = max(reported, time)
    let heard = due.sightings.takePrefix { $0.time <= moment }
    if !heard.isEmpty { listener(.heard(heard, through: moment)) }
    reported = moment
    return moment
  }
}
