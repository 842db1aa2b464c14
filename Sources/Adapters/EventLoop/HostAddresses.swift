import Glibc
import Instants

/// Finds a host's addresses without blocking the loop.
/// getaddrinfo(3) blocks, so getent(1) does the look-up in a process of its own.
public final class HostAddresses {
  /// The reason of a failure, in one line that names the host.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    public let description: String
  }

  private var child: ChildProcess?

  /// Starts the look-up; `completion` comes later, from the loop, with at least one numeric address.
  public init(of host: String, _ loop: Loop, completion: @escaping (Result<[String], Failure>) -> Void) {
    if Self.isNumeric(host) {
      loop.enqueue { [weak self] in if self != nil { completion(.success([host])) } }
      return
    }
    let command = ChildCommand(
      ["getent", "ahosts", host], environment: ["PATH": "/usr/bin:/bin"], timeout: .seconds(20), outputLimit: 16384)
    do throws(SystemCallError) {
      child = try ChildProcess(loop: loop, command: command) { result in
        let addresses = Self.addresses(in: result.output.text)
        completion(addresses.isEmpty ? .failure(Failure(description: "unknown host \(host)")) : .success(addresses))
      }
    } catch {
      let failure = Failure(description: "the host \(host) cannot be looked up: \(error)")
      loop.enqueue { [weak self] in if self != nil { completion(.failure(failure)) } }
    }
  }

  public static func isNumeric(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }

  /// Returns the first word of each line, without repetitions: getent lists each address once for every type of socket.
  private static func addresses(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }.reduce(into: []) { unique, address in
      if !unique.contains(address), isNumeric(address) { unique.append(address) }
    }
  }
}
