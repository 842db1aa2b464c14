import EventLoop
import Glibc
import Headings
import Instants
import Locations
import Orientation
import Records
import SensorRecordings

/// The sensors of a recording, which plays from its beginning whenever a client wants headings.
///
/// The times of the measurements are those of the recording, so that the headings do not depend on the speed.
/// It has no device, because a replay must neither use nor change the calibration of this machine.
public final class RecordedSensors: HeadingSource {
  public let name = "capture"
  public let device: String? = nil
  /// A pause of the recording is not a silent sensor.
  public let patience = SensorRecordingDecoder.longestGap + .seconds(10)
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  public private(set) var health = HeadingHealth(.off)
  private let loop: Loop
  private let path: String
  /// The multiple of the recorded speed; nil for as fast as possible.
  private let speed: Double?
  private var file: FileReading?
  private var begin = Instant(microseconds: 0)
  private var isOn = false
  private var hasEnded = false
  private var played: UInt64 = 0
  private var faults = Tally<SensorRecordingFault>()
  private var hasAcceleration = false
  private lazy var timer = loop.timer { [unowned self] in play() }

  /// The samples of one turn of the loop, which has other work.
  private static let most = 200

  /// - Parameter speed: the multiple of the recorded speed; nil for as fast as possible.
  public init(_ loop: Loop, path: String, speed: Double? = 1) {
    (self.loop, self.path, self.speed) = (loop, path, speed)
  }

  public var isPresent: Bool { !hasEnded && access(path, R_OK) == 0 }
  public var hasAccelerometer: Bool { hasAcceleration }
  public var counts: HeadingCounts { HeadingCounts(samples: played, refused: faults.counts) }

  public func start() {
    guard !isOn else { return }
    isOn = true
    health = HeadingHealth(.starting)
    do throws(SystemCallError) {
      file = try FileReading(path)
    } catch {
      return end(.failing, "\(error)")
    }
    begin = loop.now
    timer.arm(at: begin)
  }

  public func stop() {
    timer.disarm()
    file = nil
    // The end is known until no client wants headings any more, so that the recording does not repeat.
    if !isOn { hasEnded = false }
    isOn = false
    if !hasEnded { health = HeadingHealth(.off) }
  }

  private func end(_ state: HeadingSourceStatus.State, _ note: String) {
    timer.disarm()
    file = nil
    hasEnded = true
    health = HeadingHealth(state, note)
    onHealthChange()
  }

  private func play() {
    for _ in 0..<Self.most {
      guard isOn, let file else { return }
      let sample: RecordedSample?
      do throws(SystemCallError) {
        sample = try file.next()
      } catch {
        return end(.failing, "\(error)")
      }
      note(file)
      guard let sample else {
        return end(.gone, played == 0 || file.isStrange ? "\(path) is not a recording of sensors" : "the recording \(path) has ended")
      }
      if let speed {
        let due = begin + sample.time * (1 / speed)
        guard due <= loop.now else { return timer.arm(at: due) }
      }
      file.drop()
      deliver(sample)
    }
    timer.arm(at: loop.now)
  }

  private func note(_ file: FileReading) {
    hasAcceleration = file.hasAccelerometer
    faults = file.faults
  }

  private func deliver(_ sample: RecordedSample) {
    played += 1
    if health.state != .measuring {
      health = HeadingHealth(.measuring)
      onHealthChange()
    }
    onMeasurement(HeadingMeasurement(sample.measurement), begin + sample.time)
  }
}

/// The samples of a file, read piece by piece.
private final class FileReading {
  private static let piece = 16 * 1024

  private let path: String
  private let descriptor: FileDescriptor
  private var decoder = SensorRecordingDecoder()
  private var samples: [RecordedSample] = []
  private var place = 0
  private var isAtEnd = false
  private var hasAcceleration = false

  init(_ path: String) throws(SystemCallError) {
    self.path = path
    // A FIFO must not block.
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { throw .last("open", path) }
    descriptor = FileDescriptor(owning: raw)
    try read()
  }

  var faults: Tally<SensorRecordingFault> { decoder.counts.faults }
  var isStrange: Bool { decoder.isStrange }
  /// Whether the header, or else a sample so far, has an acceleration.
  var hasAccelerometer: Bool { decoder.header?.hasAccelerometer ?? hasAcceleration }

  /// Returns the next sample, which stays; nil at the end, and in a file of another kind.
  func next() throws(SystemCallError) -> RecordedSample? {
    while place == samples.count, !isAtEnd { try read() }
    return place < samples.count ? samples[place] : nil
  }

  func drop() { place += 1 }

  private func read() throws(SystemCallError) {
    samples.removeFirst(place)
    place = 0
    let known = samples.count
    var octets = [UInt8](repeating: 0, count: Self.piece)
    let count = Glibc.read(descriptor.number, &octets, octets.count)
    guard count >= 0 else { throw .last("read", path) }
    if count == 0 {
      decoder.finish(into: &samples)
    } else {
      decoder.decode(octets[..<count], into: &samples)
    }
    isAtEnd = count == 0 || decoder.isStrange
    hasAcceleration = hasAcceleration || samples[known...].contains { if case .acceleration = $0.measurement { true } else { false } }
  }
}

extension HeadingMeasurement {
  init(_ recorded: RecordedSample.Measurement) {
    switch recorded {
    case .acceleration(let vector): self = .acceleration(vector)
    case .rotation(let vector): self = .rotation(vector)
    case .field(let vector): self = .field(vector)
    case .heading(let reading): self = .heading(reading)
    }
  }

  /// The measurement as recordings have it; nil for one without a value.
  public var recorded: RecordedSample.Measurement? {
    switch self {
    case .acceleration(let vector): .acceleration(vector)
    case .rotation(let vector): .rotation(vector)
    case .field(let vector): .field(vector)
    case .heading(let reading): .heading(reading)
    case .noHeading: nil
    }
  }
}
