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
    var sighted: Set<BeaconKey> = []
    for message in messages {
      guard let address = message.address, let content = message.content else {
        batch.refuse(.topic, device: 0, detail: message.delivery.routingKey)
        continue
      }
      guard let device = devices[address] else {
        batch.refuse(.unknown, device: 0, detail: address.commonName)
        continue
      }
      guard !device.isRevoked else {
        batch.refuse(.revoked, device: device.id, detail: address.commonName)
        continue
      }
      if let fault = message.fault {
        batch.refuse(.rejected, device: device.id, detail: fault)
        continue
      }
      switch content {
      case .failure(let error): batch.refuse(.undecodable, device: device.id, detail: error.description)
      case .success(let content):
        take(content, octets: message.delivery.body, from: address, device, received: received, into: &batch, &sighted)
      }
    }
    for site in Set(messages.compactMap { $0.address.flatMap { devices[$0]?.site } }) {
      let (left, offsets) = change(roomsOf: site) { ($0.expireIfDue(received), $0.offsetsIfDue(received)) } ?? ([], nil)
      note(left, of: site, in: &batch, &sighted)
      batch.offsets[site] = offsets
    }
    batch.beacons = sighted.compactMap { key in beacons[key].map { sites[key.site]?.row($0, of: key.beacon) ?? BeaconRow(state: $0) } }
    return batch
  }

  private mutating func take(
    _ message: FleetMessage, octets: [UInt8], from address: DeviceAddress, _ device: Device, received: Int64, into batch: inout Batch,
    _ sighted: inout Set<BeaconKey>
  ) {
    let key = StreamKey(device: device.id, stream: message.stream, journal: message.journal)
    let place = "stream \(message.stream.rawValue), number \(message.sequence)"
    guard let taken = take(message, of: key), case .record(let record)? = streams[key] ?? .record(StreamRecord()) else {
      return batch.refuse(.journals, device: device.id, detail: place)
    }
    switch taken.verdict {
    case .copy: return batch.refuse(.copy, device: device.id, detail: place)
    case .future: return batch.refuse(.future, device: device.id, detail: place)
    case .new: batch.streams[key] = record
    }
    if !taken.isKnown, key.stream != .events { batch.newNumberings[device.id, default: []].insert(key.stream) }
    let row = MessageRow(device: device.id, journal: message.journal, sequence: message.sequence, time: message.time)
    switch message.body {
    case .event(let json): batch.events.append((row, json))
    case .report(let report):
      batch.reports[device.id] = (message.time, report)
      batch.acknowledged += report.acknowledged.map { (device.id, $0) }
    case .digest(let all):
      let site = device.site
      let kept = erased.isEmpty ? nil : message.without { erased.contains(BeaconKey(site: site, beacon: $0)) }
      let sightings = if case .digest(let left)? = kept?.body { left } else { all }
      batch.digests.append((row, sightings.count < all.count ? kept?.octets ?? octets : octets))
      note(message.journal, isKnown: taken.isKnown, at: received, of: address)
      let end = DeviceClock.time(ofDevice: message.time, received: received)
      for sighting in sightings {
        let key = BeaconKey(site: device.site, beacon: sighting.beacon)
        if sight(key, level: sighting.level, device: device.id, time: end - Int64(sighting.age)) != nil { sighted.insert(key) }
      }
      let changes = change(roomsOf: device.site) { $0.take(sightings, from: device.id, at: end) } ?? []
      note(changes, of: device.site, in: &batch, &sighted)
    }
    batch.devices[device.id] = DeviceRow(time: message.time, numbering: devices[address]?.numbering ?? device.numbering)
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
  mutating func refuse(_ reason: Refusal.Reason, device: Int32, detail: String) {
    let messages = refusals[Refusal(device: device, reason: reason)]?.messages ?? 0
    // A routing key may have any character.
    let text = String(detail.unicodeScalars.prefix(128).map { $0.value < 32 ? "?" : Character($0) })
    refusals[Refusal(device: device, reason: reason)] = RefusalCount(messages: messages + 1, detail: text)
  }
}
