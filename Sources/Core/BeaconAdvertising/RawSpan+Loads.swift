import Beacons

// Loads from octets whose length the caller has checked, once for the whole structure. Debug builds check each load again.

extension RawSpan {
  @inline(__always)
  func octet(at offset: Int) -> UInt8 {
    assert(offset >= 0 && offset < byteCount)
    return unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  private func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word {
    assert(offset >= 0 && offset <= byteCount - MemoryLayout<Word>.size)
    return unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
  }

  @inline(__always)
  func bigEndian<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word {
    Word(bigEndian: word(at: offset, as: type))
  }

  @inline(__always)
  func littleEndian<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word {
    Word(littleEndian: word(at: offset, as: type))
  }

  /// Returns an address in the order of the controllers.
  @inline(__always)
  func address(at offset: Int) -> BluetoothAddress {
    BluetoothAddress(
      value: UInt64(littleEndian(at: offset, as: UInt32.self)) | UInt64(littleEndian(at: offset &+ 4, as: UInt16.self)) << 32)
  }

  func octets(_ range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBytes { Array($0) }
  }
}
