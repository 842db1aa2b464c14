import BrokerPublishing
internal import CMosquitto

/// libmosquitto, loaded on first use.
struct MosquittoLibrary {
  let functions: mosquitto_library

  init() throws(BrokerError) {
    var functions = mosquitto_library()
    if let problem = mosquitto_library_load(&functions) {
      throw BrokerError("\(String(cString: problem)); install the Debian package libmosquitto1")
    }
    self.functions = functions
  }

  func text(of code: Int32) -> String { functions.strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
