import BeaconAdvertising

/// Which beacon each device object was when it last told its data, for signals that bring only a new RSSI.
///
/// Crowds of random addresses pass by, so it holds a limited number: two generations, of which the older one is forgotten when the younger
/// one is full. Whoever is heard stays in the younger one.
struct BeaconMemory {
  private let generation: Int
  private var young: [String: IBeacon] = [:]
  private var old: [String: IBeacon] = [:]

  /// Remembers at least `generation` devices and at most twice as many.
  init(generation: Int = 1024) {
    self.generation = generation
  }

  var count: Int { young.count + old.count }

  mutating func beacon(of device: String) -> IBeacon? {
    if let beacon = young[device] { return beacon }
    guard let beacon = old.removeValue(forKey: device) else { return nil }
    remember(beacon, of: device)
    return beacon
  }

  mutating func remember(_ beacon: IBeacon, of device: String) {
    old[device] = nil
    young[device] = beacon
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
