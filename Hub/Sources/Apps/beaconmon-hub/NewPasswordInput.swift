import ArgumentParser
import Glibc
import Sodium
import People

/// Reads a new password, which is not an argument, because every user of the machine can see those.
enum NewPasswordInput {
  /// Returns the hash of a password from the terminal, asked for twice, or from the standard input.
  static func hash(for person: String) throws -> String {
    let password: String
    if isatty(STDIN_FILENO) == 1 {
      password = try ask("Password of \(person): ")
      if let fault = NewPassword.fault(of: password, person: person) { throw ValidationError(fault) }
      guard try ask("Again: ") == password else { throw ValidationError("the two passwords differ; nothing was changed") }
    } else {
      password = readLine(strippingNewline: true) ?? ""
      if let fault = NewPassword.fault(of: password, person: person) { throw ValidationError(fault) }
    }
    return try PasswordHash(of: password).text
  }

  private static func ask(_ question: String) throws -> String {
    var terminal = termios()
    guard tcgetattr(STDIN_FILENO, &terminal) == 0 else {
      throw ValidationError("the terminal does not answer; write the password to standard input")
    }
    var silent = terminal
    silent.c_lflag &= ~tcflag_t(ECHO)
    print(question, terminator: "")
    fflush(nil)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal)
      print()
    }
    return readLine(strippingNewline: true) ?? ""
  }
}
