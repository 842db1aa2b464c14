import FleetMessages
import Ingest
import PostgreSQL

extension IngestDatabase {
  /// The number of a device's newest events, and of its newest refused ones, among which a repeated number is looked for.
  private static let recentEvents = 256

  func refusals(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.refusals.isEmpty else { return nil }
    var (devices, reasons, messages, details) = (
      BinaryArray(of: .int4), BinaryArray(of: .text), BinaryArray(of: .int8), BinaryArray(of: .text)
    )
    for (refusal, count) in batch.refusals.sorted(by: { ($0.key.device, $0.key.reason.rawValue) < ($1.key.device, $1.key.reason.rawValue) })
    {
      devices.append(refusal.device)
      reasons.append(refusal.reason.rawValue)
      messages.append(count.messages)
      details.append(count.detail)
    }
    return PostgreSQLStatement(prepared: "refusals-write", [devices, reasons, messages, details].map { .array($0) })
  }

  /// Returns the statement that compares repeated events with the stored ones.
  /// It sets those aside that differ from the stored one, or for which it finds none.
  func conflicts(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.repeatedEvents.isEmpty else { return nil }
    var rows = MessageColumns()
    var (bodies, faults) = (BinaryArray(of: .bytea), BinaryArray(of: .int2))
    for event in batch.repeatedEvents {
      rows.append(event.row)
      bodies.append(Array(event.json.utf8))
      faults.append(Int16(EventText.fault(of: event.json) == nil ? 0 : 1))
    }
    return PostgreSQLStatement(
      prepared: "conflicts", rows.values + [.array(bodies), .integer(SetAsideRow.mostOctets), .integer(Self.recentEvents), .array(faults)])
  }

  func setAside(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.setAside.isEmpty else { return nil }
    var (devices, journals, sequences, sizes) = (
      BinaryArray(of: .int4), BinaryArray(of: .uuid), BinaryArray(of: .int8), BinaryArray(of: .int4)
    )
    var (reasons, topics, details) = (BinaryArray(of: .text), BinaryArray(of: .text), BinaryArray(of: .text))
    var octets = BinaryArray(of: .bytea)
    for row in batch.setAside {
      devices.append(row.refusal.device)
      reasons.append(row.refusal.reason.rawValue)
      topics.append(row.topic)
      details.append(row.detail)
      if let journal = row.journal { journals.append(high: journal.high, low: journal.low) } else { journals.appendNull() }
      if let sequence = row.sequence { sequences.append(sequence) } else { sequences.appendNull() }
      sizes.append(Int32(row.size))
      octets.append(row.octets)
    }
    let columns = [devices, reasons, topics, details, journals, sequences, sizes, octets]
    return PostgreSQLStatement(prepared: "set-aside", columns.map { .array($0) })
  }
}
