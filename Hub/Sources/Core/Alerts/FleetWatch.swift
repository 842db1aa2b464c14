import EventActions
import Events
import FleetMessages
import Instants

/// Decides which parts of a fleet have a problem. It reads no clock.
public struct FleetWatch: Sendable {
  /// The longest time between two checks in which the workers count as running all the time.
  static let longestPause = Span.seconds(60)
  /// The age of a measurement above which the state of a disk of the hub is unknown.
  static let staleMeasurement = Span.seconds(120)

  public let limits: AlertLimits
  public private(set) var record: PresenceRecord

  public init(_ limits: AlertLimits, _ record: PresenceRecord = PresenceRecord()) { (self.limits, self.record) = (limits, record) }

  /// The silence that interrupts the presence of a site or a device. That of a device between its reports does not.
  var gap: Span {
    let quiet = Span.seconds(Double(DeviceReport.longestSilence))
    return limits.silence < quiet ? limits.silence * 0.5 : max(limits.silence * 0.5, quiet)
  }

  /// Returns the states of the watched parts.
  public mutating func states(_ seen: FleetObservation) -> [AlertKey: WatchedState] {
    var states: [AlertKey: WatchedState] = [AlertKey(.workerMissing, "ingest"): workers(seen)]
    let sites = Dictionary(grouping: seen.devices.lazy.filter(\.hasSent), by: \.site)
    let listeningSince = listen(seen)
    if let listeningSince {
      notePresences(seen, sites)
      silence(of: sites, seen.now, since: listeningSince, &states)
      neverHeard(seen, since: listeningSince, &states)
    } else {
      leaveOpen(seen.devices, &states)
    }
    beacons(seen, since: listeningSince, &states)
    for device in seen.devices where device.hasSent { health(device, seen.now, &states) }
    for device in seen.devices { states[AlertKey(.certificateEnding, device.fullName)] = certificate(of: device, seen.now) }
    for certificate in seen.certificates {
      states[AlertKey(.certificateEnding, "\(certificate.machine):\(certificate.path)")] = state(of: certificate, seen.now)
    }
    for device in seen.devices { states[AlertKey(.messagesRefused, device.fullName)] = refusals(of: device, seen.now) }
    for disk in seen.disks { states[AlertKey(.diskLow, "\(disk.machine):\(disk.path)")] = state(of: disk, seen.now) }
    states[AlertKey(.backlog, "queues")] = backlog(seen)
    return states
  }

  // MARK: Silence

  /// Notes whether workers run, and returns the time since which they do; nil if none runs.
  private mutating func listen(_ seen: FleetObservation) -> Instant? {
    guard seen.hasWorkers else {
      record.forget(.workers)
      return nil
    }
    record.note(.workers, heard: seen.now, gap: Self.longestPause)
    return record[.workers]?.since
  }

  private mutating func notePresences(_ seen: FleetObservation, _ sites: [String: [FleetObservation.Device]]) {
    let watched = Set(seen.beacons.compactMap { beacon in beacon.device.map { "\(beacon.site).\($0)" } })
    record.keep { part in
      switch part {
      case .workers, .fleet: true
      case .site(let site): sites[site] != nil
      case .device(let name): watched.contains(name)
      }
    }
    if let newest = seen.devices.lazy.filter(\.hasSent).map(\.heard).max() { record.note(.fleet, heard: newest, gap: gap) }
    for (site, devices) in sites {
      if let newest = devices.lazy.map(\.heard).max() { record.note(.site(site), heard: newest, gap: gap) }
    }
    for device in seen.devices where device.hasSent && watched.contains(device.fullName) {
      record.note(.device(device.fullName), heard: device.heard, gap: gap)
    }
  }

  /// Adds the states by silence, which counts while the part above is heard: the site, the fleet, or a worker.
  private func silence(
    of sites: [String: [FleetObservation.Device]], _ now: Instant, since listening: Instant, _ states: inout [AlertKey: WatchedState]
  ) {
    let fleet = record[.fleet]
    if sites.count > 1, let fleet {
      states[AlertKey(.fleetSilent, "fleet")] = state(fleet.heard, now, since: listening) {
        Problem(since: fleet.heard, text: "no device of the fleet has sent anything since \($0); the broker may be unreachable for them")
      }
    }
    for (site, devices) in sites {
      guard let presence = record[.site(site)] else { continue }
      let above = sites.count > 1 ? fleet : nil
      let start = max(listening, above?.since ?? listening)
      states[AlertKey(.siteSilent, site)] = state(
        presence.heard, now, since: start, isWatchable: above.map { now - $0.heard < gap } ?? true
      ) {
        let subject =
          devices.count == 1
          ? "\(devices[0].fullName), the only device of \(site), has sent nothing"
          : "none of the \(devices.count) devices of \(site) has sent anything"
        return Problem(
          site: site, device: devices.count == 1 ? devices[0].name : nil, since: presence.heard, text: "\(subject) since \($0)")
      }
      guard devices.count > 1 else { continue }
      for device in devices {
        states[AlertKey(.deviceSilent, device.fullName)] = state(
          device.heard, now, since: max(listening, presence.since), isWatchable: now - presence.heard < gap
        ) {
          Problem(
            site: site, device: device.name, since: device.heard,
            text: "\(device.fullName) has sent nothing since \($0), although other devices of \(site) do")
        }
      }
    }
  }

  /// Returns the state of a part by its newest message.
  ///
  /// - Parameters:
  ///   - start: the earliest time at which it could be heard
  ///   - isWatchable: whether it could be heard now
  func state(
    _ heard: Instant, _ now: Instant, since start: Instant, isWatchable: Bool = true, _ problem: (String) -> Problem
  ) -> WatchedState {
    if now - heard < limits.silence { return .good(at: heard) }
    guard isWatchable, now - max(heard, start) >= limits.silence else { return .unknown }
    return .bad(problem(heard.minute))
  }

  private func leaveOpen(_ devices: [FleetObservation.Device], _ states: inout [AlertKey: WatchedState]) {
    states[AlertKey(.fleetSilent, "fleet")] = .unknown
    for device in devices {
      states[AlertKey(.siteSilent, device.site)] = .unknown
      states[AlertKey(.deviceSilent, device.fullName)] = .unknown
      states[AlertKey(.neverConnected, device.site)] = .unknown
    }
  }
}

extension Instant {
  /// The time to the minute in UTC, such as `2026-11-27 20:10 UTC`.
  var minute: String {
    let text = rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}
