import Instants

/// A message of a queue, which the broker keeps until it is acknowledged.
public struct QueueMessage: Sendable {
  public var queue: Int
  public var tag: UInt64
  public var routingKey: String
  public var body: [UInt8]
  /// Whether the broker delivered the message before, to this worker or another one.
  public var isRedelivered: Bool

  public init(queue: Int, tag: UInt64, routingKey: String, body: [UInt8], isRedelivered: Bool = false) {
    (self.queue, self.tag, self.routingKey, self.body) = (queue, tag, routingKey, body)
    self.isRedelivered = isRedelivered
  }
}

/// A link to the broker. A call that throws makes the link unusable.
public protocol QueueMessageSource: AnyObject {
  /// Subscribes to a queue.
  /// The broker delivers its messages to the oldest subscriber, and to the next one when that subscriber has gone.
  func open(queue: Int) throws
  /// Ends the subscription. The broker delivers its unacknowledged messages to the next subscriber.
  func close(queue: Int) throws
  /// Returns the next message, or nil after this time without one.
  func next(within time: Span) throws -> QueueMessage?
  /// Acknowledges this message of the queue and all before it.
  func acknowledge(queue: Int, through tag: UInt64) throws
}

/// A link to the database. A call that throws makes the link unusable, unless the error is `RejectedData`.
public protocol FleetStore: AnyObject {
  /// Registers that the worker runs, and returns the names of all workers that registered within the last eight seconds.
  func register(worker: String) throws -> [String]
  /// Makes the worker the owner of a queue, and returns the epoch of its ownership.
  /// Later transactions of its previous owners fail.
  func acquire(queue: Int, worker: String) throws -> Int64
  /// Returns the devices that are enrolled under these names.
  func devices(at addresses: [DeviceAddress]) throws -> [DeviceAddress: Device]
  /// Returns the records of these streams. A stream without a record is absent.
  func streams(_ keys: [StreamKey]) throws -> [StreamKey: LoadedStream]
  /// Returns the states of these beacons, and enters unknown ones.
  ///
  /// A beacon is absent if its site has too many, or if it was erased.
  ///
  /// In a site that is full, a new beacon replaces one without a name and a room that was last seen before `silentSince`, in milliseconds
  /// since 1970.
  func beacons(_ keys: [BeaconKey], silentSince: Int64) throws -> LoadedBeacons
  /// Returns sites with everything that their room filters need except the surveys, which are large.
  func sites(_ sites: [Int32]) throws -> [Int32: LoadedSite]
  /// Returns the surveys of a site whose rooms have a device, by their keys in ascending order.
  func surveys(of site: Int32) throws -> [LoadedSurvey]
  /// Returns whether the database has announced messages to devices since the last call.
  func hasMessageNotice() throws -> Bool
  /// Returns messages without an acknowledgement, the oldest first.
  ///
  /// - Parameters:
  ///   - devices: the devices whose due messages are all returned
  ///   - queues: the queues whose messages are all returned that were never sent
  func dueMessages(for devices: Set<Int32>, newIn queues: Set<Int>, limit: Int) throws -> [WaitingMessage]
  /// Notes an attempt to send each of these messages.
  func noteSent(_ messages: [WaitingMessage]) throws
  /// Writes as much data as a batch, and undoes it.
  ///
  /// - Throws: an error if the database cannot store a batch, for example because its disk is full.
  func testWrite() throws
  /// Writes a batch in one transaction, and returns the revision of the enrolments that was valid in it.
  ///
  /// Throws `RejectedData`, and writes nothing, if the database refuses a value of the batch, which would fail again.
  func write(_ batch: Batch) throws -> Int64
}

/// The error of a database that refuses a value, such as a text with a zero octet.
public struct RejectedData: Error, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
