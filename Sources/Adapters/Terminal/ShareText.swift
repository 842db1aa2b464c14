import Records
import ShareReports

/// The output of `beaconmon share list` and `beaconmon friends`.
public struct ShareText {
  private let time: TimeFormat

  public init(time: TimeFormat) { self.time = time }

  /// Returns a share of this device, with a line for each recipient.
  public func text(_ share: OwnShareReport) -> String {
    let ends = share.ends.map { time.text($0) } ?? ""
    let recipients = (share.recipients ?? []).map { "  \($0.name ?? "")  \($0.state ?? "not at the hub yet")\n" }
    return """
      \(share.id ?? "")  until \(ends)\(share.isSending == true ? ", sends the position" : "")
        \(share.purpose ?? "")
      \(recipients.joined())
      """
  }

  /// Returns the line of a friend, with the purpose and the end below.
  public func text(_ friend: FriendReport) -> String {
    "\(line(friend))\n  \(friend.id)\n  \(friend.purpose), until \(friend.ends.map { time.text($0) } ?? "")\n"
  }

  /// Returns the owner, and the place or the state, in one line without its end.
  public func line(_ friend: FriendReport) -> String {
    let name = [friend.owner, friend.tag].compactMap(\.self).joined(separator: ", ")
    guard friend.isAccepted else { return "\(name)  offers: \(friend.purpose)" }
    guard let fixed = friend.time else { return "\(name)  no position yet" }
    let point = friend.coordinate.map { coordinate in
      "\(Decimal.text(coordinate.latitude, decimals: 5) ?? ""), \(Decimal.text(coordinate.longitude, decimals: 5) ?? "")"
    }
    let place = [friend.description ?? friend.room.map { "room \($0)" }, point, friend.level.map { "level \($0)" }].compactMap(\.self)
    return "\(name)  \(place.isEmpty ? "position unknown" : place.joined(separator: " · "))  at \(time.text(fixed))"
  }
}
