import EventLoop
import Glibc
import Headings
import Instants

/// A device whose scans the kernel collects in a buffer, which is read from its character device (iio:deviceN in /dev).
///
/// It belongs to the thread that reads the sensors, because a driver may take long to switch its chip on.
final class IIOBuffer {
  /// The reason why a buffer cannot be used.
  struct Obstacle: Error, Hashable {
    /// Nil for a device without buffer, which needs no explanation.
    let reason: String?
  }

  /// The samples of one round.
  struct Round {
    var samples: [SensorSample] = []
    /// Scans that repeat the one before, with the same time.
    var repeats = 0
    /// Rounds in which the buffer was full, so that the kernel has dropped scans.
    var overruns = 0
    var failure: Int32?
  }

  /// The scans that the kernel keeps: those of half a second of the fastest sensors in use.
  static let length = 512
  /// Scans of this time become one sample: a fast gyroscope would wake the loop for nothing.
  private static let slot = Span.milliseconds(20)
  /// Scans that are older are not from the present motion.
  private static let oldest = Span.seconds(2)

  private let device: IIODevice
  private let layout: ScanLayout
  private let channels: [(sensor: IIOSensor, axes: [String])]
  private let descriptor: FileDescriptor
  /// Whether this process has switched the buffer on.
  private let isOwn: Bool
  private var octets: UnsafeMutableRawBufferPointer
  /// The octets of a scan that is incomplete.
  private var begun = 0
  private var previous: [UInt8] = []

  private static let time = "in_timestamp"

  /// Switches the buffer on, unless that was done by the administrator.
  ///
  /// - Parameters:
  ///   - sensors: sensors of the device.
  ///   - devices: the folder of character devices.
  ///   - triggers: the folder of triggers, which is that of the devices.
  init(_ sensors: [IIOSensor], devices: String, triggers: String) throws(Obstacle) {
    guard let device = sensors.first?.device else { throw Obstacle(reason: nil) }
    let names = sensors.map { sensor in IIOQuantity.axes.map { "in_\(sensor.quantity.rawValue)_\($0)" } }
    let wanted = names.flatMap(\.self)
    guard wanted.allSatisfy({ device.text("scan_elements/\($0)_en") != nil }), let enabled = device.text("buffer/enable") else {
      throw Obstacle(reason: nil)
    }
    let path = "\(devices)/\(device.name)"
    // A reader excludes each other one, so nothing is changed for a buffer that is in use.
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else {
      throw Obstacle(reason: errno == EBUSY ? "another program reads \(path)" : "\(path): \(String(cString: strerror(errno)))")
    }
    descriptor = FileDescriptor(owning: raw)
    isOwn = enabled != "1"
    if isOwn {
      do throws(SystemCallError) {
        try Self.switchOn(device, wanted, triggers: triggers)
      } catch {
        Self.switchOff(device)
        throw Obstacle(reason: "\(error)")
      }
    }
    do throws(Obstacle) {
      layout = try Self.layout(of: device, wanted)
      guard isOwn || Self.mayRead(device, wanted) else { throw Obstacle(reason: "another program uses the buffer of \(device.label)") }
    } catch {
      if isOwn { Self.switchOff(device) }
      throw error
    }
    self.device = device
    channels = Array(zip(sensors, names)).map { (sensor: $0, axes: $1) }
    octets = .allocate(byteCount: layout.size * 64, alignment: 8)
  }

  deinit {
    octets.deallocate()
  }

  var quantities: [IIOQuantity] { channels.map(\.sensor.quantity) }

  /// Switches the buffer off, unless it was on before.
  func close() {
    if isOwn { Self.switchOff(device) }
  }

  /// Switches a buffer off. It fails if the device is gone, and its buffer with it.
  private static func switchOff(_ device: IIODevice) {
    try? SysfsFile.write("0", to: "\(device.folder)/buffer/enable")
  }

  /// Returns the scans since the last call as samples, at most one of each sensor in 20 ms.
  func read(at now: Instant) -> Round {
    var round = Round()
    var scans: [(time: Int64?, values: [SpaceVector])] = []
    while scans.count < 2 * Self.length {
      let free = octets.count - begun
      let count = Glibc.read(descriptor.number, octets.baseAddress.map { $0 + begun }, free)
      guard count > 0 else {
        if count < 0, errno != EAGAIN, errno != EINTR { round.failure = errno }
        break
      }
      let end = begun + count
      let complete = end / layout.size
      for index in 0..<complete { take(index * layout.size, &scans, &round) }
      begun = end - complete * layout.size
      if begun > 0, let base = octets.baseAddress { memmove(base, base + complete * layout.size, begun) }
      if count < free { break }
    }
    if scans.count >= Self.length { round.overruns += 1 }
    round.samples = samples(of: scans, at: now)
    return round
  }

  private func take(_ start: Int, _ scans: inout [(time: Int64?, values: [SpaceVector])], _ round: inout Round) {
    let view = UnsafeRawBufferPointer(octets)
    let time = layout.value(of: Self.time, in: view, at: start)
    let scan = Array(view[start..<start + layout.size])
    if time != nil, scan == previous {
      round.repeats += 1
      return
    }
    previous = scan
    let values = channels.map { channel in
      SpaceVector(channel.axes.map { Double(layout.value(of: $0, in: view, at: start) ?? 0) })
    }
    scans.append((time, values))
  }

  /// Returns the mean of each slot of time.
  /// The newest scan is of now: the clock of the kernel's times is unknown, and may be set.
  private func samples(of scans: [(time: Int64?, values: [SpaceVector])], at now: Instant) -> [SensorSample] {
    guard let last = scans.last else { return [] }
    var slots: [(time: Instant, sums: [SpaceVector], count: Int, last: [SpaceVector])] = []
    for scan in scans {
      var age = Span.zero
      if let time = scan.time, let latest = last.time, time <= latest {
        let (nanoseconds, isAbsurd) = latest.subtractingReportingOverflow(time)
        age = isAbsurd ? Self.oldest + .seconds(1) : Span(microseconds: nanoseconds / 1000)
      }
      guard age <= Self.oldest else { continue }
      // A clock that was set back would reorder the samples.
      let time = max(now - age, slots.last?.time ?? now - age)
      if let slot = slots.last, time - slot.time < Self.slot {
        let index = slots.count - 1
        for channel in scan.values.indices { slots[index].sums[channel] += scan.values[channel] }
        (slots[index].count, slots[index].last) = (slot.count + 1, scan.values)
      } else {
        slots.append((time, scan.values, 1, scan.values))
      }
    }
    return slots.flatMap { slot in
      channels.indices.map { index in
        let sensor = channels[index].sensor
        return SensorSample(
          quantity: sensor.quantity, value: sensor.converted(slot.sums[index] / Double(slot.count)), raw: slot.last[index], time: slot.time)
      }
    }
  }
}

// MARK: Settings

extension IIOBuffer {
  private static func switchOn(_ device: IIODevice, _ wanted: [String], triggers: String) throws(SystemCallError) {
    for name in wanted + [time] where device.text("scan_elements/\(name)_en") == "0" {
      try SysfsFile.write("1", to: "\(device.folder)/scan_elements/\(name)_en")
    }
    if let trigger = device.text("trigger/current_trigger"), trigger.isEmpty {
      guard let own = self.trigger(of: device, in: triggers) else { throw SystemCallError(call: "no trigger of this device", code: ENOENT) }
      try SysfsFile.write(own, to: "\(device.folder)/trigger/current_trigger")
    }
    try SysfsFile.write("\(length)", to: "\(device.folder)/buffer/length")
    try SysfsFile.write("1", to: "\(device.folder)/buffer/enable")
  }

  /// Returns the name of the trigger that a device brings along, such as `accel_3d-dev1`.
  private static func trigger(of device: IIODevice, in folder: String) -> String? {
    let number = device.name.drop { !$0.isNumber }
    let names = Folder.names(in: folder).filter { $0.hasPrefix("trigger") }.compactMap { SysfsFile.text(of: "\(folder)/\($0)/name") }
    return names.first { $0 == "\(device.label)-dev\(number)" } ?? names.first { $0.hasSuffix("-dev\(number)") }
  }

  /// Returns whether the scans of a buffer that was on before are for this process.
  private static func mayRead(_ device: IIODevice, _ wanted: [String]) -> Bool {
    guard access("\(device.folder)/buffer/enable", W_OK) == 0 else { return true }
    // Left by a crash, or by the administrator. A driver that still gives its attributes needs no buffer of another program.
    return device.text("\(wanted[0])_raw") == nil
  }

  private static func layout(of device: IIODevice, _ wanted: [String]) throws(Obstacle) -> ScanLayout {
    var elements: [ScanLayout.Element] = []
    for file in Folder.names(in: "\(device.folder)/scan_elements") where file.hasSuffix("_en") {
      let name = String(file.dropLast(3))
      guard device.text("scan_elements/\(file)") == "1" else { continue }
      guard let index = device.number("scan_elements/\(name)_index").flatMap({ Int(exactly: $0) }),
        let text = device.text("scan_elements/\(name)_type"), let type = ScanType(text)
      else { throw Obstacle(reason: "the form of \(name) in the buffer of \(device.label) is not supported") }
      elements.append(ScanLayout.Element(name: name, index: index, type: type))
    }
    for name in wanted where !elements.contains(where: { $0.name == name }) {
      throw Obstacle(reason: "another program uses the buffer of \(device.label), without \(name)")
    }
    guard Set(elements.map(\.index)).count == elements.count else {
      throw Obstacle(reason: "the elements in the buffer of \(device.label) have the same index")
    }
    return ScanLayout(elements)
  }
}
