import FleetMessages
import Ingest
import PostgreSQL
import Streams

extension IngestDatabase {
  /// Separates the problems of a report; the statement splits them again.
  private static let problemSeparator: Character = "\u{1F}"

  public func write(_ batch: Batch) throws -> Int64 {
    // All tables are written in the same order of rows, so that two workers do not wait for each other.
    let statements = [
      fence(batch), shares(batch), digests(batch), events(batch), conflicts(batch), streams(batch), oldStreams(batch),
      oldNumberings(batch), devices(batch), reports(batch), acknowledgements(batch), beacons(batch), roomChanges(batch), movedTags(batch),
      offsets(batch), corrections(batch), refusals(batch), setAside(batch),
    ].compactMap { $0 }
    do throws(PostgreSQLError) {
      let answers = try connection.run(statements)
      return Int64(answers[0].first ?? "") ?? 0
    } catch {
      throw error.refusesValue ? RejectedData(error.message) : error
    }
  }

  private func fence(_ batch: Batch) -> PostgreSQLStatement? {
    var (queues, epochs) = (BinaryArray(of: .int2), BinaryArray(of: .int8))
    for (queue, epoch) in batch.epochs.sorted(by: { $0.key < $1.key }) {
      queues.append(Int16(queue))
      epochs.append(epoch)
    }
    return PostgreSQLStatement(prepared: "fence", [.array(queues), .array(epochs), .integer(Migration.all.count)])
  }

  /// Returns the statement for messages about shares. It comes first, because the page takes its locks in this order.
  private func shares(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.shares.isEmpty else { return nil }
    var (devices, latenesses, journals, numbers, messages) = (
      BinaryArray(of: .int4), BinaryArray(of: .int8), BinaryArray(of: .uuid), BinaryArray(of: .int8), BinaryArray(of: .text)
    )
    for share in batch.shares {
      devices.append(share.row.device)
      latenesses.append(share.lateness)
      journals.append(high: share.row.journal.high, low: share.row.journal.low)
      numbers.append(share.row.sequence)
      messages.append(share.json)
    }
    return PostgreSQLStatement(prepared: "shares", [devices, latenesses, journals, numbers, messages].map { .array($0) })
  }

  /// Notifies the recipients of shares that a tag has another room.
  private func movedTags(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.roomChanges.isEmpty else { return nil }
    var beacons = BinaryArray(of: .int4)
    for change in batch.roomChanges { beacons.append(change.beacon) }
    return PostgreSQLStatement(prepared: "tags-moved", [.array(beacons)])
  }

  private func digests(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.digests.isEmpty else { return nil }
    var rows = MessageColumns()
    var bodies = BinaryArray(of: .bytea)
    for digest in batch.digests {
      rows.append(digest.row)
      bodies.append(digest.body)
    }
    return PostgreSQLStatement(prepared: "digests", rows.values + [.array(bodies)])
  }

  /// Returns the statement that stores events, and sets those without a text `event` aside.
  private func events(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.events.isEmpty else { return nil }
    var rows = MessageColumns()
    var bodies = BinaryArray(of: .text)
    for event in batch.events {
      rows.append(event.row)
      bodies.append(event.json)
    }
    return PostgreSQLStatement(prepared: "events", rows.values + [.array(bodies), .integer(SetAsideRow.mostOctets)])
  }

  private func streams(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.streams.isEmpty else { return nil }
    var (devices, streams, journals) = (BinaryArray(of: .int4), BinaryArray(of: .int2), BinaryArray(of: .uuid))
    var numbers = [BinaryArray](repeating: BinaryArray(of: .int8), count: 6)
    var gaps = BinaryArray(of: .text)
    for (key, record) in batch.streams {
      devices.append(key.device)
      streams.append(Int16(key.stream.rawValue))
      journals.append(high: key.journal.high, low: key.journal.low)
      gaps.append(record.gapsText)
      for (index, number) in [record.highest, record.origin, record.floor, record.abandoned, record.missing, record.lost].enumerated() {
        numbers[index].append(number)
      }
    }
    let columns = [devices, streams, journals] + numbers[0..<3] + [gaps] + numbers[3...]
    return PostgreSQLStatement(prepared: "streams-write", columns.map { .array($0) })
  }

  /// Deletes the oldest numberings of digests and reports beyond the limit: every start of a notifier adds one.
  private func oldStreams(_ batch: Batch) -> PostgreSQLStatement? {
    let numbered = batch.newNumberings.flatMap { device, streams in streams.map { (device, $0) } }.filter { $0.1 != .events }
    guard !numbered.isEmpty else { return nil }
    var (devices, streams) = (BinaryArray(of: .int4), BinaryArray(of: .int2))
    for (device, stream) in numbered {
      devices.append(device)
      streams.append(Int16(stream.rawValue))
    }
    return PostgreSQLStatement(prepared: "streams-forget", [.array(devices), .array(streams), .integer(Self.mostJournals)])
  }

  /// Deletes the expired numberings of events of devices that begin one.
  ///
  /// A device without a lasting disk begins one with each start.
  private func oldNumberings(_ batch: Batch) -> PostgreSQLStatement? {
    var devices = BinaryArray(of: .int4)
    let beginning = batch.newNumberings.filter { $0.value.contains(.events) }.keys
    guard !beginning.isEmpty else { return nil }
    for device in beginning { devices.append(device) }
    return PostgreSQLStatement(prepared: "numberings-expire", [.array(devices)])
  }

  private func devices(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.devices.isEmpty else { return nil }
    var (devices, times, journals, returns, returned, reports) = (
      BinaryArray(of: .int4), BinaryArray(of: .int8), BinaryArray(of: .uuid), BinaryArray(of: .int8), BinaryArray(of: .int8),
      BinaryArray(of: .uuid)
    )
    for (device, row) in batch.devices {
      devices.append(device)
      times.append(row.time)
      if let journal = row.numbering.current { journals.append(high: journal.high, low: journal.low) } else { journals.appendNull() }
      if let journal = row.numbering.currentReport { reports.append(high: journal.high, low: journal.low) } else { reports.appendNull() }
      returns.append(row.numbering.returns)
      returned.append(row.numbering.returned)
    }
    return PostgreSQLStatement(prepared: "devices-write", [devices, times, journals, returns, returned, reports].map { .array($0) })
  }

  private func reports(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.reports.isEmpty else { return nil }
    var (devices, versions, revisions, configurations) = (
      BinaryArray(of: .int4), BinaryArray(of: .text), BinaryArray(of: .int8), BinaryArray(of: .bytea)
    )
    var (spaces, dropped, clocks, problems) = (
      BinaryArray(of: .int8), BinaryArray(of: .int8), BinaryArray(of: .int2), BinaryArray(of: .text)
    )
    var (rollouts, states, texts) = (BinaryArray(of: .int8), BinaryArray(of: .int2), BinaryArray(of: .text))
    for (device, (_, report)) in batch.reports {
      devices.append(device)
      versions.append(report.version)
      revisions.append(report.revision)
      if let configuration = report.configuration { configurations.append(configuration) } else { configurations.appendNull() }
      if let space = report.freeSpace { spaces.append(space) } else { spaces.appendNull() }
      dropped.append(report.droppedDigests)
      if let isSynchronised = report.isClockSynchronised { clocks.append(Int16(isSynchronised ? 1 : 0)) } else { clocks.appendNull() }
      problems.append(report.problems.map { $0.filter { $0 != Self.problemSeparator } }.joined(separator: String(Self.problemSeparator)))
      if let rollout = report.rollout {
        rollouts.append(rollout.revision)
        states.append(Int16(rollout.state.rawValue))
        texts.append(rollout.text)
      } else {
        rollouts.appendNull()
        states.appendNull()
        texts.appendNull()
      }
    }
    let columns = [devices, versions, revisions, configurations, spaces, dropped, clocks, problems, rollouts, states, texts]
    return PostgreSQLStatement(prepared: "reports-write", columns.map { .array($0) })
  }
}

/// The columns that events and digests share.
struct MessageColumns {
  var devices = BinaryArray(of: .int4)
  var journals = BinaryArray(of: .uuid)
  var sequences = BinaryArray(of: .int8)
  var times = BinaryArray(of: .int8)

  mutating func append(_ row: MessageRow) {
    devices.append(row.device)
    journals.append(high: row.journal.high, low: row.journal.low)
    sequences.append(row.sequence)
    times.append(row.time)
  }

  var values: [PostgreSQLValue] { [.array(devices), .array(journals), .array(sequences), .array(times)] }
}
