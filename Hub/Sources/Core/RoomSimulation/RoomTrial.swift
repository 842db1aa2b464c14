import Rooms

/// Rules on the same simulated site.
public struct RoomTrial: Sendable {
  /// The names of the rules, and their scores.
  public private(set) var scores: [(rule: String, score: RoomScore)] = []

  /// Runs a site for some hours, of which the first, up to `learning`, count for no rule.
  ///
  /// - Parameter hypotheses: The hypotheses for each tag of a further rule, which knows the site; nil without this rule. Four thousand take
  ///   minutes for each hour.
  public init(
    _ setting: RoomSetting, hours: Double, learning: Double, seed: UInt64, settings: BeaconRoomFilterSettings = BeaconRoomFilterSettings(),
    hypotheses: Int? = nil
  ) {
    var simulation = SiteSimulation(setting, hours: hours, seed: seed)
    var rules: [any RoomRule] = [
      FilterRule(simulation, settings, isSurveyed: true), FilterRule(simulation, settings, isSurveyed: false),
      BermudaRule(simulation, isCalibrated: true), BermudaRule(simulation, isCalibrated: false),
      StrongestRule(simulation),
    ]
    if let hypotheses {
      rules.append(InformedRule(simulation, comparedFrom: learning * 3600, hypotheses: hypotheses, seed: seed))
    }
    let tags = simulation.tagCount
    var present = rules.map { _ in [Int?](repeating: nil, count: tags) }
    var reports = rules.map { _ in [[RoomScore.Report]](repeating: [], count: tags) }
    scores = rules.map { ($0.name, RoomScore()) }
    let begin = learning * 3600
    let stays = simulation.walks.map(\.stays)
    var stayIndices = [Int](repeating: 0, count: tags)
    for half in 0..<Int(hours * 7200) {
      let time = Double(half) / 2
      let digests = simulation.advance(to: time)
      for rule in rules.indices {
        for digest in digests { rules[rule].take(digest) }
      }
      guard half % 2 == 0 else { continue }
      for tag in 0..<tags {
        while stayIndices[tag] + 1 < stays[tag].count && stays[tag][stayIndices[tag]].end <= time { stayIndices[tag] += 1 }
      }
      for rule in rules.indices {
        let rooms = rules[rule].rooms(at: time)
        guard time >= begin else {
          present[rule] = rooms
          continue
        }
        for tag in 0..<tags where tag >= setting.stillTags || rules[rule].followsStillTags {
          if rooms[tag] != present[rule][tag] { reports[rule][tag].append(RoomScore.Report(room: rooms[tag], time: time)) }
          let isRight = rooms[tag] == stays[tag][stayIndices[tag]].room
          scores[rule].score.count(isRight, isStill: tag < setting.stillTags)
        }
        present[rule] = rooms
      }
    }
    for rule in rules.indices {
      for tag in 0..<tags {
        if tag < setting.stillTags {
          guard rules[rule].followsStillTags else { continue }
          scores[rule].score.flaps.append(reports[rule][tag].count)
          scores[rule].score.stillDays += (hours - learning) / 24
        } else {
          let scored = stays[tag].filter { $0.end > begin && $0.begin < hours * 3600 - 30 }
          scores[rule].score.add(stays: scored, reports: reports[rule][tag])
        }
      }
    }
  }
}

extension RoomScore {
  fileprivate mutating func count(_ isRight: Bool, isStill: Bool) {
    if isStill {
      stillSeconds += 1
      if isRight { stillRightSeconds += 1 }
    } else {
      seconds += 1
      if isRight { rightSeconds += 1 }
    }
  }
}
