import EventActions
import Events
import Instants

extension FleetWatch {
  /// The time by which the clock of a device may be ahead of that of the database.
  private static let clockAhead = Span.seconds(120)
  /// The age of a message that no backlog of a device explains.
  private static let clockBehind = Span.seconds(86_400)
  /// The factor by which free space and backlog must be better than their limits before an alert ends.
  private static let margin = 1.25

  /// Adds the states of a device that its messages report.
  func health(_ device: FleetObservation.Device, _ now: Instant, _ states: inout [AlertKey: WatchedState]) {
    let isFresh = now - device.heard < limits.silence
    func add(_ kind: Event.Alert, _ state: () -> WatchedState) {
      states[AlertKey(kind, device.fullName)] = isFresh ? state() : .unknown
    }
    func problem(_ text: String) -> WatchedState {
      .bad(Problem(site: device.site, device: device.name, since: now, text: "\(device.fullName) \(text)"))
    }
    add(.diskLow) {
      switch room(device.freeSpace, limits.freeSpace) {
      case .some(true): .good(at: now)
      case .some(false): problem("has only \(size(device.freeSpace ?? 0)) of free disk space")
      case nil: .unknown
      }
    }
    add(.clockWrong) {
      if Span.zero - device.lag > Self.clockAhead { return problem("has a clock that is ahead by \((Span.zero - device.lag).rounded)") }
      if device.lag > Self.clockBehind { return problem("has a clock that is behind by \(device.lag.rounded)") }
      return device.isClockSynchronised == false ? problem("has a clock that is not synchronised") : .good(at: now)
    }
    add(.identityCloned) {
      device.looksCloned ? problem("appears to be two devices with one identity; enrol one of them under another name") : .good(at: now)
    }
  }

  func state(of disk: FleetObservation.Disk, _ now: Instant) -> WatchedState {
    guard now - disk.measured < Self.staleMeasurement else { return .unknown }
    switch room(disk.free, limits.hubFreeSpace) {
    case .some(true): return .good(at: now)
    case .some(false):
      return .bad(Problem(since: now, text: "the disk of \(disk.path) on \(disk.machine) has only \(size(disk.free)) free"))
    case nil: return .unknown
    }
  }

  func refusals(of device: FleetObservation.Device, _ now: Instant) -> WatchedState {
    if device.refusals.isEmpty { return .good(at: now) }
    let text = "\(device.fullName) \(device.refusals.joined(separator: "; it also "))"
    return .bad(Problem(site: device.site, device: device.name, since: now, text: text))
  }

  func workers(_ seen: FleetObservation) -> WatchedState {
    if seen.hasWorkers { return .good(at: seen.now) }
    let text =
      "no worker stores the messages of the fleet; start \"beaconmon-hub ingest\", or, if it runs, read its log: it cannot reach the broker, "
      + "or the database refuses its writes"
    return .bad(Problem(since: seen.now, text: text))
  }

  func backlog(_ seen: FleetObservation) -> WatchedState {
    guard let backlog = seen.backlog else { return .unknown }
    if backlog >= limits.backlog { return .bad(Problem(since: seen.now, text: "\(backlog) messages wait at the broker")) }
    return Double(backlog) * Self.margin < Double(limits.backlog) ? .good(at: seen.now) : .unknown
  }

  /// Returns whether there is room; nil if it is unknown, or so close to the limit that the state before stays.
  private func room(_ free: UInt64?, _ limit: UInt64) -> Bool? {
    guard let free else { return nil }
    if free < limit { return false }
    return Double(free) >= Double(limit) * Self.margin ? true : nil
  }

  private func size(_ octets: UInt64) -> String { "\(octets / 1_000_000) MB" }
}

extension Span {
  /// The length in its largest unit.
  var rounded: String {
    let seconds = Int64(self.seconds.rounded())
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
