import FleetMessages
import Ingest
import PostgreSQL

extension IngestDatabase {
  public func hasMessageNotice() throws -> Bool { try connection.takeNotifications() > 0 }

  public func dueMessages(for devices: Set<Int32>, newIn queues: Set<Int>, limit: Int) throws -> [WaitingMessage] {
    var (reported, owned) = (BinaryArray(of: .int4), BinaryArray(of: .int2))
    for device in devices { reported.append(device) }
    for queue in queues { owned.append(Int16(queue)) }
    let statement = PostgreSQLStatement(prepared: "messages-due", [.array(reported), .array(owned), .integer(limit)])
    return try connection.run(statement).rows.map { row in
      guard let address = FleetAddress(site: row[0] ?? "", device: row[1] ?? ""), let number = row.number(2, Int64.self),
        let kind = row.number(3, UInt8.self).flatMap(HubMessage.Kind.init(rawValue:)),
        let payload = row[4].flatMap([UInt8].init(hexadecimal:))
      else { throw PostgreSQLError(message: "the table device_message has a row that cannot be read") }
      return WaitingMessage(address: address, message: HubMessage(number: number, kind: kind, payload: payload))
    }
  }

  public func noteSent(_ messages: [WaitingMessage]) throws {
    guard !messages.isEmpty else { return }
    var numbers = BinaryArray(of: .int8)
    for waiting in messages { numbers.append(waiting.message.number) }
    try connection.run(PostgreSQLStatement(prepared: "messages-sent", [.array(numbers)]))
  }

  func acknowledgements(_ batch: Batch) -> PostgreSQLStatement? {
    guard !batch.acknowledged.isEmpty else { return nil }
    var (devices, numbers) = (BinaryArray(of: .int4), BinaryArray(of: .int8))
    for (device, number) in batch.acknowledged {
      devices.append(device)
      numbers.append(number)
    }
    return PostgreSQLStatement(prepared: "messages-acknowledge", [.array(devices), .array(numbers)])
  }
}

extension [UInt8] {
  /// Parses hexadecimal digits; nil for any other text.
  init?(hexadecimal text: String) {
    let digits = Array<UInt8>(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Character(UnicodeScalar(digits[index])).hexDigitValue,
        let low = Character(UnicodeScalar(digits[index + 1])).hexDigitValue
      else { return nil }
      append(UInt8(high << 4 | low))
    }
  }
}
