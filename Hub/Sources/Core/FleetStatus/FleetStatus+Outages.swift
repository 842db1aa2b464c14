extension FleetStatus {
  /// A time in which the database or the broker took nothing.
  public struct Outage: Hashable, Sendable {
    public enum Part: String, Sendable {
      case broker
      case database
    }

    public var part: Part
    /// The resource that is short, such as `disk`.
    public var cause: String
    /// Seconds since its start; nil if it is unknown.
    public var since: Int64?
    /// Seconds since its end; nil if it lasts.
    public var ended: Int64?

    /// The outage of a database that is full and takes no link, so that its start is unknown.
    public static let fullDatabase = Self(part: .database, cause: "disk", since: nil)

    public init(part: Part, cause: String, since: Int64?, ended: Int64? = nil) {
      (self.part, self.cause, self.since, self.ended) = (part, cause, since, ended)
    }
  }

  /// Corrects what the database says about a part by what was found at this moment.
  ///
  /// - Parameter cause: the resource that is short; nil if the part works
  public mutating func observe(_ part: Outage.Part, cause: String?) {
    let index = outages.firstIndex { $0.part == part }
    guard let cause else {
      if let index, outages[index].ended == nil { outages[index].ended = 0 }
      return
    }
    if let index, outages[index].ended == nil { return outages[index].cause = cause }
    // No worker has noted it. Nothing was stored since the newest message.
    outages.removeAll { $0.part == part }
    outages.append(Outage(part: part, cause: cause, since: queues.compactMap(\.newest).min()))
  }

  /// Whether a worker stores messages.
  public var hasWorker: Bool { queues.contains { $0.isOwned } }

  /// The outages that last, and those that have ended.
  var outageLines: [String] {
    outages.sorted { $0.part.rawValue < $1.part.rawValue }.flatMap { [""] + Self.wrapped($0.text, indent: "") }
  }
}

extension FleetStatus.Outage {
  /// The outage in words, with its remedy while it lasts.
  public var text: String {
    let resource = cause == "disk" && part == .database ? "full" : "low on \(cause)"
    if let ended {
      let lasted = since.map { " for \(FleetStatus.duration(max(0, $0 - ended)))" } ?? ""
      let outage =
        switch part {
        case .database: "the disk of the database was \(resource)\(lasted)"
        case .broker: "the broker took no messages\(lasted), because a node was \(resource)"
        }
      return "\(outage), until \(FleetStatus.duration(ended)) ago"
    }
    let lasts = since.map(FleetStatus.duration)
    switch part {
    case .database:
      let state = lasts.map { "has been \(resource) for \($0)" } ?? "is \(resource)"
      return "the disk of the database \(state): nothing is stored, and messages wait at the broker; "
        + "free space on that disk or make it larger, and workers continue"
    case .broker:
      let state = lasts.map { "has taken no messages for \($0)" } ?? "takes no messages"
      let remedy = cause == "disk" ? "space on the disk of each node" : "\(cause) at the nodes"
      return "the broker \(state), because a node is \(resource): devices keep their messages; free \(remedy), and devices continue"
    }
  }
}

/// The folder of a server on this machine with the free space of its disk.
public struct ServerFolder: Hashable, Sendable {
  /// A server stops without space for two segments of the log of PostgreSQL, in octets.
  private static let least: UInt64 = 32 << 20

  public var path: String
  /// The free octets; nil if the folder cannot be examined.
  public var free: UInt64?

  public init(_ path: String, free: UInt64?) { (self.path, self.free) = (path, free) }

  /// The remedy for a server that does not answer because its disk is full; nil if it is not full.
  public var remedy: String? {
    guard let free, free < Self.least else { return nil }
    return "its disk is full: \(path) has \(FleetStatus.space(Int64(free))) free; free space there, and start the server again"
  }
}
