import RouteReports

// The announcements of a guide.

extension RouteGuide {
  /// The accuracy in metres at which a manoeuvre can be announced where it is.
  private static let nowAccuracy = 0.7
  /// The metres before a manoeuvre at which it is announced even to a visitor who faces the other way.
  private static let facingDistance = 4.0
  /// The metres by which the progress for announcements may differ from the mean of the belief.
  private static let mostProgressDifference = 3.0

  /// Metres along the route by which announcements are due: the progress, near the mean of the belief.
  ///
  /// The positions of a visitor who stands and looks back on stairs may run ahead along the piece behind them, where the belief stays.
  private var announcedProgress: Double {
    guard let believed = comparison?.offset else { return track.progress }
    return min(max(track.progress, believed - Self.mostProgressDifference), believed + Self.mostProgressDifference)
  }

  /// The metres along the route within which a visitor has not begun to walk.
  private static let standing = 3.0

  /// Takes the first direction in which the visitor faces, in degrees clockwise from the plan's y axis.
  ///
  /// Returns the start again if it begins with a turn. A visitor who has begun to walk has found the way.
  public mutating func face(_ heading: Double) -> Announcement? {
    guard awaitsHeading, heading.isFinite, !hasArrived, obstacle == nil else { return nil }
    awaitsHeading = false
    guard track.progress <= Self.standing, track.changes == 0 else { return nil }
    let turned = route.manoeuvres(in: network, heading: heading)
    guard turned.first?.kind != manoeuvres.first?.kind else { return nil }
    manoeuvres = turned
    return announceStart(.start)
  }

  mutating func announceStart(_ kind: Announcement.Kind) -> Announcement {
    pending = 1
    lastSpoken = track.progress
    var joined = Array(manoeuvres.prefix(1))
    if manoeuvres.count > 1, manoeuvres[1].isDecision, manoeuvres[1].offset - track.progress <= options.approach + Self.startMargin {
      joined += chain(from: 1)
      pending = joined.count
    }
    return Announcement(kind: kind, manoeuvres: joined, distance: 0)
  }

  /// The metres beyond the approach within which the first instruction names a manoeuvre.
  ///
  /// Otherwise its own instruction would follow at once.
  private static let startMargin = 2.0

  /// Returns a decision and those that follow within the joint, and the arrival if it does.
  ///
  /// The turn after stairs or a lift belongs to them, however long they are.
  private func chain(from first: Int) -> [Manoeuvre] {
    var chain = [manoeuvres[first]]
    var next = first + 1
    while next < manoeuvres.count, chain.count < 3 {
      let isArrival = if case .arrive = manoeuvres[next].kind { true } else { false }
      let isBehind = isAfterChange(next)
      guard manoeuvres[next].isDecision || isArrival && !isBehind else { break }
      guard isBehind || manoeuvres[next].offset - manoeuvres[next - 1].offset < options.joint else { break }
      // On the next level, other manoeuvres wait until the visitor is there.
      guard isBehind || manoeuvres[next].changes == manoeuvres[first].changes else { break }
      chain.append(manoeuvres[next])
      next += 1
    }
    return chain
  }

  mutating func dueAnnouncements(_ accuracy: Double, _ heading: Double?) -> [Announcement] {
    let progress = announcedProgress
    while pending < manoeuvres.count {
      let manoeuvre = manoeuvres[pending]
      // After stairs or a lift the visitor must have arrived on the level.
      guard manoeuvre.changes <= track.changes else { return [] }
      let distance = manoeuvre.offset - progress
      switch manoeuvre.kind {
      case .proceed, .start:
        // After steps on one level, only the position shows that the visitor has passed them.
        guard distance <= 2 || !isAfterChange(pending) || isOnNextLevel(pending) else { break }
        pending += 1
        lastSpoken = track.progress
        // The plan does not say which way the visitor faces here, but a compass does.
        var turned = manoeuvre
        if let heading, let direction = manoeuvre.direction, let change = Manoeuvre.Turn(degrees: turn(from: heading, to: direction)) {
          turned.kind = .turn(change)
        }
        return [Announcement(kind: .now, manoeuvres: [turned], distance: max(0, distance))]
      case .passLandmark:
        if distance < -2 {
          pending += 1
          continue
        }
        guard distance <= 3 else { break }
        pending += 1
        lastSpoken = track.progress
        return [Announcement(kind: .passing, manoeuvres: [manoeuvre], distance: max(0, distance))]
      case .turn where isAfterChange(pending) && isOnNextLevel(pending):
        // The turn right after stairs or a lift is announced with them.
        pending += 1
        lastSpoken = track.progress
        return [Announcement(kind: .now, manoeuvres: [manoeuvre], distance: max(0, distance))]
      case .arrive:
        guard distance <= options.approach, isBehindLast(pending, progress), !isBeforeTurn(manoeuvre, in: distance, heading) else { break }
        pending += 1
        lastSpoken = track.progress
        return [Announcement(kind: distance < 0 ? .now : .approach, manoeuvres: [manoeuvre], distance: distance < 0 ? 0 : max(1, distance))]
      case .turn, .straight, .door, .changeLevel:
        // An instruction after its place would lead astray: the departure test decides about it.
        if distance < -1 {
          pending += 1
          missed += 1
          continue
        }
        guard distance <= options.approach, isBehindLast(pending, progress), !isBeforeTurn(manoeuvre, in: distance, heading) else { break }
        let chain = chain(from: pending)
        pending += chain.count
        lastSpoken = track.progress
        return [
          Announcement(
            kind: distance < 0 || accuracy <= Self.nowAccuracy && distance <= 2 ? .now : .approach, manoeuvres: chain,
            distance: distance < 0 ? 0 : max(1, distance))
        ]
      }
      break
    }
    return reassurance()
  }

  /// Returns whether the visitor has reached the last decision before a manoeuvre.
  private func isBehindLast(_ number: Int, _ progress: Double) -> Bool {
    guard let last = manoeuvres[..<number].last(where: \.isDecision) else { return true }
    return last.changes < manoeuvres[number].changes || progress > last.offset - 1
  }

  /// Returns whether the visitor still has to turn into the piece before a manoeuvre.
  ///
  /// Until then, its place is beside or behind them.
  private func isBeforeTurn(_ manoeuvre: Manoeuvre, in metres: Double, _ heading: Double?) -> Bool {
    guard metres > Self.facingDistance, let heading else { return false }
    return track.isTurn(ahead: manoeuvre.offset, of: heading)
  }

  private func isAfterChange(_ number: Int) -> Bool {
    guard number > 0, case .changeLevel = manoeuvres[number - 1].kind else { return false }
    return true
  }

  /// Returns whether a manoeuvre is on another level than the one before it.
  private func isOnNextLevel(_ number: Int) -> Bool { number > 0 && manoeuvres[number].changes > manoeuvres[number - 1].changes }

  /// Returns a reassurance on a way of some length without a manoeuvre.
  private mutating func reassurance() -> [Announcement] {
    guard let interval = options.progress, track.progress - lastSpoken >= interval, pending < manoeuvres.count else { return [] }
    let distance = manoeuvres[pending].offset - track.progress
    guard distance > options.approach + 3, manoeuvres[pending].changes <= track.changes else { return [] }
    lastSpoken = track.progress
    return [Announcement(kind: .progress, manoeuvres: [], distance: distance)]
  }
}
