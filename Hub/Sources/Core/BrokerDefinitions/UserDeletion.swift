/// The deletion of users in one call of `rabbitmqctl eval`, because each call of `rabbitmqctl` starts an Erlang machine.
public struct UserDeletion: Hashable, Sendable {
  /// The expression for the standard input of the command. It fails at the first user that does not exist.
  ///
  /// The function is that of `rabbitmqctl delete_user`. Its second argument is the acting user in the log of the broker.
  public let expression: String

  /// Nil without users.
  ///
  /// - Parameter users: The names of users of the fleet, none of which has a character with a meaning in a text of Erlang.
  public init?(of users: [String]) {
    guard !users.isEmpty else { return nil }
    let names = users.map { "<<\"\($0)\">>" }.joined(separator: ", ")
    expression = "[ok = rabbit_auth_backend_internal:delete_user(User, <<\"beaconmon-hub\">>) || User <- [\(names)]].\n"
  }
}
