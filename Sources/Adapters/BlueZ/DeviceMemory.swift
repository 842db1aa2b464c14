/// A fact about each device object that only some of its signals carry, such as the beacon of its last data.
///
/// Many random addresses pass by, so the memory is limited to two generations. When the younger one is full, the older one is dropped. A
/// device that is looked up stays in the younger one.
struct DeviceMemory<Fact> {
  private let generation: Int
  private var young: [String: Fact] = [:]
  private var old: [String: Fact] = [:]

  /// Remembers at least `generation` devices and at most twice as many.
  init(generation: Int = 1024) {
    self.generation = generation
  }

  var count: Int { young.count + old.count }

  subscript(device: String) -> Fact? {
    mutating get {
      if let fact = young[device] { return fact }
      guard let fact = old.removeValue(forKey: device) else { return nil }
      remember(fact, of: device)
      return fact
    }
  }

  mutating func remember(_ fact: Fact, of device: String) {
    old[device] = nil
    young[device] = fact
    if young.count >= generation {
      old = young
      young = [:]
    }
  }

  mutating func forget(_ device: String) {
    young[device] = nil
    old[device] = nil
  }
}
