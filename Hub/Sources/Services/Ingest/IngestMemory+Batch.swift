import FleetMessages
import Retention
import Rooms
import Streams

extension IngestMemory {
  /// Applies messages in their order, and returns the rows that change.
  ///
  /// `received` is the time of the hub in milliseconds since 1970.
  ///
  /// Call `load` first.
  mutating func batch(of messages: [IngestMessage], received: Int64) -> Batch {
    var batch = Batch()
    var sighted = Set<BeaconKey>(minimumCapacity: min(beacons.count, messages.count * FleetMessage.maximumSightings))
    for message in messages {
      guard let address = message.address else {
        batch.refuse(.topic, message, device: 0, detail: message.delivery.routingKey)
        continue
      }
      guard let device = devices[address] else {
        batch.refuse(.unknown, message, device: 0, detail: address.commonName)
        continue
      }
      guard !device.isRevoked else {
        batch.refuse(.revoked, message, device: device.id, detail: address.commonName)
        continue
      }
      switch message.content {
      case .failure(let error):
        let reason: Refusal.Reason = if case .unknownVersion = error { .version } else { .undecodable }
        batch.refuse(reason, message, device: device.id, detail: error.description)
      case .success(let content): take(content, of: message, from: address, device, received: received, into: &batch, &sighted)
      }
    }
    for site in Set(messages.compactMap { $0.address.flatMap { devices[$0]?.site } }) {
      let due = change(roomsOf: site) { ($0.expireIfDue(received), $0.offsetsIfDue(received), $0.correctionsIfDue(received)) }
      guard let (left, offsets, corrections) = due else { continue }
      note(left, of: site, in: &batch, &sighted)
      batch.offsets[site] = offsets
      batch.corrections.merge(corrections) { $1 }
    }
    batch.beacons = sighted.compactMap { key in beacons[key].map { sites[key.site]?.row($0, of: key.beacon) ?? BeaconRow(state: $0) } }
    return batch
  }

  private mutating func take(
    _ content: FleetMessage, of message: IngestMessage, from address: DeviceAddress, _ device: Device, received: Int64,
    into batch: inout Batch, _ sighted: inout Set<BeaconKey>
  ) {
    let key = StreamKey(device: device.id, stream: content.stream, journal: content.journal)
    let place = "stream \(content.stream.rawValue), number \(content.sequence)"
    if case .unwritable? = message.fault { return batch.refuse(.rejected, message, device: device.id, detail: place) }
    guard let taken = take(content, of: key), case .record(let record)? = streams[key] ?? .record(StreamRecord()) else {
      return batch.refuse(.journals, message, device: device.id, detail: place)
    }
    let row = MessageRow(device: device.id, journal: content.journal, sequence: content.sequence, time: content.time)
    if taken.verdict == .future { return batch.refuse(.future, message, device: device.id, detail: place) }
    if taken.verdict == .new {
      batch.streams[key] = record
      if message.delivery.isRedelivered { batch.recovered[message.delivery.queue, default: 0] += 1 }
      if !taken.isKnown { batch.newNumberings[device.id, default: []].insert(key.stream) }
    }
    if let numbers = taken.skips { batch.skips.append((message.delivery.queue, key, numbers)) }
    // The number of a refused message counts as arrived: the device has no other message for it.
    switch message.fault {
    case .refused(let reason)?: return batch.refuse(.rejected, message, device: device.id, detail: reason)
    case .invalid(let reason)? where taken.verdict != .copy: return batch.refuse(.rejected, message, device: device.id, detail: reason)
    case .invalid?, .unwritable?, nil: break
    }
    if taken.verdict == .copy {
      if case .event(let json) = content.body { batch.repeatedEvents.append((row, json)) }
      return batch.refuse(.copy, message, device: device.id, detail: place)
    }
    switch content.body {
    case .event(let json): batch.events.append((row, json))
    case .report(let report):
      note(report: content.journal, isKnown: taken.isKnown, at: received, of: address)
      batch.reports[device.id] = (content.time, report)
      batch.acknowledged += report.acknowledged.map { (device.id, $0) }
    case .share(let share): batch.shares.append(ShareRow(row, share, received: received))
    case .digest(let all):
      let (site, octets) = (device.site, message.delivery.body)
      let kept = erased.isEmpty ? nil : content.without { erased.contains(BeaconKey(site: site, beacon: $0)) }
      let sightings = if case .digest(let left)? = kept?.body { left } else { all }
      batch.digests.append((row, sightings.count < all.count ? kept?.octets ?? octets : octets))
      note(content.journal, isKnown: taken.isKnown, at: received, of: address)
      let end = DeviceClock.time(ofDevice: content.time, received: received)
      for sighting in sightings {
        let key = BeaconKey(site: device.site, beacon: sighting.beacon)
        if sight(key, level: sighting.level, device: device.id, time: end - Int64(sighting.age)) { sighted.insert(key) }
      }
      let changes = change(roomsOf: device.site) { $0.take(sightings, from: device.id, at: end) } ?? []
      note(changes, of: device.site, in: &batch, &sighted)
    }
    batch.devices[device.id] = DeviceRow(time: content.time, numbering: devices[address]?.numbering ?? device.numbering)
  }

  /// Adds changes of rooms to a batch. A beacon beyond the limit of its site has no row, and its changes are left out.
  private func note(_ changes: [RoomChange], of site: Int32, in batch: inout Batch, _ sighted: inout Set<BeaconKey>) {
    for change in changes {
      let key = BeaconKey(site: site, beacon: change.beacon)
      guard let state = beacons[key] else { continue }
      sighted.insert(key)
      batch.roomChanges.append(change.row(of: state.id))
    }
  }
}

extension Batch {
  mutating func refuse(_ reason: Refusal.Reason, _ message: IngestMessage, device: Int32, detail: String) {
    let refusal = Refusal(device: device, reason: reason)
    let detail = Self.printable(detail)
    refusals[refusal] = RefusalCount(messages: (refusals[refusal]?.messages ?? 0) + 1, detail: detail)
    guard let (octets, content) = message.textToSetAside(reason) else { return }
    setAside.append(
      SetAsideRow(
        refusal: refusal, topic: Self.printable(message.delivery.routingKey), detail: detail, journal: content?.journal,
        sequence: content?.sequence, size: octets.isEmpty ? message.delivery.body.count : octets.count,
        octets: Array(octets.prefix(SetAsideRow.mostOctets))))
  }

  /// Returns the beginning of a text without control characters: a routing key may have any character.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(128).map { $0.value < 32 ? "?" : Character($0) })
  }
}
