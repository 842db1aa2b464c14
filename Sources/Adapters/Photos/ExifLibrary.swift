internal import CGExiv2
import Synchronization

/// gexiv2, loaded on demand: only a command that changes photos carries it and GLib.
public struct ExifLibrary {
  let functions: gexiv2_library

  /// The messages of errors since the last call of `collectingErrors`.
  /// The handler of the library has no argument for an object.
  private static let errors = Mutex<[String]>([])

  public init() throws(PhotoError) {
    var functions = gexiv2_library()
    if let problem = gexiv2_library_load(&functions) {
      throw PhotoError(.unavailable, "\(String(cString: problem)); install the Debian package libgexiv2-2")
    }
    guard functions.initialize() != 0 else { throw PhotoError(.unavailable, "libgexiv2 cannot be initialised") }
    self.functions = functions
    functions.log_set_level(CInt(BEACONMON_GEXIV2_LOG_WARN))
    functions.log_set_handler { level, message in
      guard level >= CInt(BEACONMON_GEXIV2_LOG_ERROR), let message else { return }
      let text = String(cString: message)
      ExifLibrary.errors.withLock { if $0.count < 100 { $0.append(text) } }
    }
  }

  /// Runs `body` and returns its result with the errors that the library has only logged.
  func collectingErrors<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> (Result, errors: [String]) {
    Self.errors.withLock { $0 = [] }
    let result = try body()
    return (result, Self.errors.withLock { $0 })
  }

  /// Calls a function that reports errors, and returns the message of its error; nil if there is none.
  func message(of call: (UnsafeMutablePointer<UnsafeMutablePointer<gexiv2_error>?>) -> Bool) -> String? {
    var error: UnsafeMutablePointer<gexiv2_error>?
    let isDone = call(&error)
    defer { if let error { functions.error_free(error) } }
    guard error != nil || !isDone else { return nil }
    return error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
  }
}
