import Beacons
import Rooms

/// The digests during the walk of an installer.
struct SurveyRecorder {
  private let plan: SimulatedSite
  private let walk: SurveyWalk
  private let tag: BeaconIdentity
  private var digests: [RoomSurvey.Digest] = []
  /// The time at which the last digest has arrived, in seconds.
  var end: Double { walk.end }

  init(_ simulation: SiteSimulation) {
    (plan, walk) = (simulation.plan, simulation.survey)
    tag = SiteSimulation.beacon(simulation.tagCount)
  }

  mutating func take(_ digest: SimulatedDigest) {
    digests.append(RoomSurvey.Digest(device: Int32(digest.device), end: Int64(digest.time * 1000), sightings: digest.sightings))
  }

  /// Returns the surveys of all rooms, whose doors the installer knows.
  func surveys() -> [RoomSurvey] {
    walk.stays.map { stay in
      let doors = plan.openings.compactMap { $0.other(than: stay.room) }.map { plan.rooms[$0].name }
      let begin = Int64(stay.begin * 1000)
      return RoomSurvey(
        room: plan.rooms[stay.room].name, doors: doors, of: tag, during: [begin...begin + Int64(stay.end - stay.begin) * 1000],
        digests: digests.filter { $0.end > begin && $0.end < Int64(stay.end * 1000) + 15_000 }, devices: plan.siteDevices)
    }
  }
}

extension SiteSimulation {
  /// Returns the surveys of an installer from all digests of the site.
  public func surveys(in digests: [SimulatedDigest]) -> [RoomSurvey] {
    var recorder = SurveyRecorder(self)
    for digest in digests where digest.arrival <= recorder.end { recorder.take(digest) }
    return recorder.surveys()
  }
}

extension SimulatedSite {
  /// The devices as the hub knows them.
  public var siteDevices: [SiteDevice] {
    devices.enumerated().map { index, device in SiteDevice(id: Int32(index), room: rooms[device.room].name, floor: device.place.floor) }
  }
}
