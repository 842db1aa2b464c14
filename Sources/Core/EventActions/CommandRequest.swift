import Events
import Records

/// A request of the notifier to the service that runs commands.
/// It consists of two lines: a JSON object that names the action, and the event as it was queued.
public struct CommandRequest: Hashable, Sendable {
  /// The maximum size of both lines in octets. An event has about a thousand.
  public static let largest = 65_536

  /// The name of a target. The service looks the command up by this name and accepts no command from the request.
  public let action: String
  /// The event as one line of JSON.
  public let json: String
  public let event: Event

  public init(action: String, event: Event, json: String) {
    self.action = action
    self.event = event
    self.json = json
  }

  /// Both lines with their line ends.
  public var text: String { "\(Record(["action": .text(action)]).json)\n\(json)\n" }

  /// Parses the output of `text`; `nil` unless the first line names an action and the second is an event.
  public init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 3, lines[2].isEmpty else { return nil }
    do throws(JSONError) {
      guard let action = try Record(json: lines[0])["action"]?.text else { return nil }
      self.init(action: action, event: try Event(json: lines[1]), json: lines[1])
    } catch {
      return nil
    }
  }
}

extension CommandRequest {
  /// The octets of a request so far. They arrive in pieces.
  public struct Arrival: Sendable {
    public enum Outcome: Hashable, Sendable {
      case request(CommandRequest)
      /// The octets are not a request.
      case refused(String)
    }

    private var octets: [UInt8] = []

    public init() {}

    /// Adds a piece, and returns the outcome once it is known.
    public mutating func take(_ piece: some Collection<UInt8>) -> Outcome? {
      octets += piece
      guard octets.count <= CommandRequest.largest else {
        return .refused("the request is longer than \(CommandRequest.largest) octets")
      }
      guard octets.count(where: { $0 == UInt8(ascii: "\n") }) >= 2 else { return nil }
      let request = CommandRequest(text: String(decoding: octets, as: UTF8.self))
      return request.map { .request($0) } ?? .refused("the request is not two lines of JSON")
    }
  }
}
