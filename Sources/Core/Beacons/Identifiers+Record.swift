import Records

extension BeaconUUID: RecordFieldValue {
  public static var recordSignature: String { "s" }
  public init?(recordValue: RecordValue) {
    guard let text = recordValue.text else { return nil }
    do throws(BeaconUUIDError) { try self.init(text) } catch { return nil }
  }
  public var recordValue: RecordValue { .text(description) }
}

extension BluetoothAddress: RecordFieldValue {
  public static var recordSignature: String { "s" }
  public init?(recordValue: RecordValue) {
    guard let text = recordValue.text else { return nil }
    self.init(text)
  }
  public var recordValue: RecordValue { .text(description) }
}
