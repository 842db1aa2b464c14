extension [[UInt8]?] {
  /// Calls `body` with pointers to the octets of each element, which are valid during the call.
  func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    var pointers: [UnsafePointer<CChar>?] = []
    pointers.reserveCapacity(count)
    func next(_ index: Int) -> Result {
      guard index < count else { return body(pointers) }
      guard let octets = self[index] else {
        pointers.append(nil)
        return next(index + 1)
      }
      return octets.withUnsafeBytes {
        pointers.append($0.bindMemory(to: CChar.self).baseAddress)
        return next(index + 1)
      }
    }
    return next(0)
  }
}

extension [String] {
  /// Calls `body` with a list of C texts that ends with a null pointer.
  func withCStrings<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    let texts: [[UInt8]?] = map { text in [UInt8](text.utf8) + [0] }
    return texts.withPointers { body($0 + [nil]) }
  }
}
