import Records

/// The reason why a capture cannot be read, or not to its end.
/// Everything before that place counts.
public enum CaptureError: Error, Equatable, Sendable {
  case empty
  case notBtsnoop
  case unsupportedVersion(UInt32)
  case unknownDataLink(UInt32)
  /// The capture has a complete header and no records.
  case noRecords
  /// The capture ends inside its header, after this many octets.
  case headerTruncated(octets: Int)
  /// The record claims more octets than its packet had, or more than any packet can have.
  case recordLength(included: UInt32, original: UInt32, CapturePlace)
  /// The capture ends inside a record; `missing` is the number of octets to the record's end.
  /// It is nil inside the record's header, where the end is unknown.
  case recordTruncated(missing: Int?, CapturePlace)
}

/// The place in a capture where a record begins.
public struct CapturePlace: Equatable, Sendable {
  /// The offset from the beginning of the capture, in octets.
  public var offset: Int
  /// The number of the record, from 1.
  public var record: Int

  public init(offset: Int, record: Int) {
    self.offset = offset
    self.record = record
  }
}

extension CapturePlace: CustomStringConvertible {
  public var description: String { "byte \(offset), record \(record)" }
}

extension CaptureError: CustomStringConvertible {
  /// One line with the place, the error and the remedy.
  public var description: String {
    switch self {
    case .empty:
      "byte 0: the capture is empty; record one with \"btmon -w FILE\""
    case .notBtsnoop:
      "byte 0: this is not a btsnoop capture; record one with \"btmon -w FILE\""
    case .unsupportedVersion(let version):
      "byte 8: btsnoop version \(version) is not supported, only 1; record the capture again with \"btmon -w FILE\""
    case .unknownDataLink(let number):
      "byte 12: data link \(number) is not supported; it must be 1001 (HCI), 1002 (H4) or 2001 (Linux monitor)"
    case .noRecords:
      "byte 16: the capture has a header but no records; record it again for longer"
    case .headerTruncated(let octets):
      "byte \(octets): the capture ends inside its header of 16 bytes; copy or record it again"
    case .recordLength(let included, let original, let place) where included > original:
      "\(place): it claims to include \(included) of \(original) bytes; the rest of the capture cannot be read, copy or record it again"
    case .recordLength(let included, _, let place):
      "\(place): it claims \(included) bytes, more than a packet can have; the rest of the capture cannot be read, copy or record it again"
    case .recordTruncated(let missing, let place):
      "\(place): the capture ends inside this record\(missing.map { ", \(Count.text($0, "byte")) early" } ?? ""); everything before it was used"
    }
  }
}
