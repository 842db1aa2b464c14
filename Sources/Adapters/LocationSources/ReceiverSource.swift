import LocationArbitration
import Locations
import Positioning
import Records

/// A location source whose readings go through a `FixValidator`.
///
/// The validator checks and counts the readings and knows the health of the source.
protocol ReceiverSource: LocationSource {
  var validator: FixValidator { get }
  /// The counts of the lines that the source reads; nil for a source that reads none.
  var lineCounts: LineStatistics? { get }
}

extension ReceiverSource {
  var lineCounts: LineStatistics? { nil }
  var isOn: Bool { validator.isOn }
  public var health: LocationHealth { validator.health }
  public var heading: HeadingReport? { validator.heading }

  public var counts: LocationCounts {
    var counts = validator.counts
    counts.lines = lineCounts
    return counts
  }

  public var onLocation: (Location) -> Void {
    get { validator.onLocation }
    set { validator.onLocation = newValue }
  }

  public var onHeading: (HeadingReading) -> Void {
    get { validator.onHeading }
    set { validator.onHeading = newValue }
  }

  public var onHealthChange: (LocationHealth) -> Void {
    get { validator.onHealthChange }
    set { validator.onHealthChange = newValue }
  }
}

/// A receiver whose data arrive over a connection, which exists only while the source is on.
protocol LinkedSource: ReceiverSource, CompassSource {
  var link: StreamLink { get }

  /// Begins with a new connection.
  func open()
  func receive(_ octets: ArraySlice<UInt8>)
  /// Takes the health after a lost or failed connection; the link retries.
  func lose(_ health: LocationHealth)
  /// Ends a connection that is about to close, because the source is switched off.
  func close()
}

extension LinkedSource {
  /// Receives everything from the link. Call at the end of the initializer.
  func followLink() {
    link.onOpen = { [unowned self] in open() }
    link.onOctets = { [unowned self] in receive($0) }
    link.onFlood = { [unowned self] in validator.noteFlood() }
    link.onLost = { [unowned self] in lose($0) }
  }

  public func start(for accuracy: DesiredAccuracy) {
    guard !isOn else { return }
    validator.begin()
    link.open()
  }

  public func stop() {
    guard isOn else { return }
    close()
    link.close()
    validator.end()
  }
}
