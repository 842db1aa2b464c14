import BeaconAdvertising
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Scoring
import Setup
import SignalCalibration
import Surveys
import Venues

/// The options of a calibration on a route.
struct RouteWalk {
  private let names: [String]
  private let venue: String?
  private let passed: String?
  /// The height of the receiver above the floor in metres.
  let height: Double

  init(_ route: String, venue: String?, passed: String?, height: Double?) {
    names = route.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    (self.venue, self.passed, self.height) = (venue, passed, height ?? SurveyPlace.usualHeight)
  }

  func walk(_ configuration: Configuration) throws(Failure) -> StationWalk {
    let venue = try chosenVenue(configuration)
    do throws(StationWalkError) { return try StationWalk(names, in: venue) } catch {
      throw Failure(.usage, "--route: \(error)")
    }
  }

  private func chosenVenue(_ configuration: Configuration) throws(Failure) -> Venue {
    if let venue {
      do throws(ConfigurationError) { return try VenueDocument.read(file: venue).venue } catch { throw Failure(error) }
    }
    guard configuration.venues.count == 1 else {
      throw Failure(
        .usage, "--route: the config has \(configuration.venues.isEmpty ? "no venue" : "several venues"); name its file with --venue")
    }
    return configuration.venues[0]
  }

  /// Returns the signals of a capture with their distances.
  func samples(of sightings: [Sighting], in capture: String, _ walk: StationWalk) throws(Failure) -> [SignalSample] {
    guard let first = sightings.map(\.time).min(), let last = sightings.map(\.time).max() else {
      throw Failure(.dataError, "\(capture): contains no beacon; \"beaconmon replay \(capture) --summary\" counts its packets")
    }
    let times = try times(from: first, until: last, walk)
    do throws(StationWalkError) { return try walk.samples(of: sightings, at: times, height: height) } catch {
      throw Failure(.dataError, "\(capture): \(error)")
    }
  }

  private func times(from first: Instant, until last: Instant, _ walk: StationWalk) throws(Failure) -> [Instant] {
    let seconds = passed?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
    do throws(StationWalk.PassingTimesError) {
      return try walk.passingTimes(seconds, from: first, until: last)
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  fileprivate init(_ error: StationWalk.PassingTimesError) {
    switch error {
    case .timesRequired: self.init(.usage, "a route between levels requires --passed, because the time on the stairs is unknown")
    case .notRising:
      self.init(.usage, "--passed: write seconds from the start of the capture in rising order, such as 0,14,31.5")
    case .otherCount(let times, let stations):
      self.init(.usage, "--passed: has \(times) times, and --route \(stations) places; write one for each")
    case .afterEnd(let span):
      self.init(.dataError, "--passed: the capture ends after \((span.seconds * 10).rounded() / 10) s")
    }
  }
}
