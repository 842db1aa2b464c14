import FleetDatabase
import Glibc
import PostgreSQL

/// A PostgreSQL server of the test process in a folder of its own, which ends with the process, however that ends.
final class PrivateServer: Sendable {
  static let shared = Result { try PrivateServer() }

  private let folder: String
  private let administration: String

  /// The server refuses to run as root. The end of the standard input ends it.
  private static let script = """
    set -e
    bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    as=
    if [ "$(id -u)" = 0 ]; then
      chown nobody "$0"
      as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
    fi
    $as "$bin/initdb" -D "$0/data" -U hub -A trust --no-sync --locale=C.UTF-8 >"$0/log" 2>&1
    $as "$bin/postgres" -D "$0/data" -k "$0" -c listen_addresses= -c fsync=off >>"$0/log" 2>&1 &
    server=$!
    cat
    kill -QUIT $server
    wait $server || true
    rm -rf "$0"
    """

  private init() throws {
    var name = Array("/tmp/beaconmon-hub-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw ServerError(description: "mkdtemp: \(String(cString: strerror(errno)))") }
    folder = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(folder, 0o755)
    administration = "host=\(folder) user=hub dbname=postgres"
    // This process keeps the other end until it ends.
    var pipes: [Int32] = [-1, -1]
    guard pipe(&pipes) == 0, fcntl(pipes[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw ServerError(description: "pipe: \(String(cString: strerror(errno)))")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipes[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let texts: [String] = ["sh", "-c", Self.script, folder]
    let words = texts.map { strdup($0) }
    var process: pid_t = 0
    let status = posix_spawnp(&process, "sh", &actions, nil, words + [nil], environ)
    posix_spawn_file_actions_destroy(&actions)
    close(pipes[0])
    for word in words { free(word) }
    guard status == 0 else { throw ServerError(description: "sh: \(String(cString: strerror(status)))") }
    for _ in 0..<600 {
      if (try? PostgreSQLConnection(administration)) != nil { return }
      usleep(100_000)
    }
    throw ServerError(description: "the server does not start; is Debian's \"postgresql\" installed? See \(folder)/log")
  }

  /// Makes an empty database, and returns its connection string.
  static func database() throws -> String {
    let server = try shared.get()
    let name = "d\(UInt64.random(in: 0...UInt64.max))"
    try PostgreSQLConnection(server.administration).run(script: "create database \(name)")
    return "host=\(server.folder) user=hub dbname=\(name)"
  }

  /// Makes a database with the newest schema, with the site berlin, its device door, and a tag.
  static func fleet() throws -> String {
    let database = try database()
    let connection = try PostgreSQLConnection(database)
    let schema = FleetSchema(connection)
    _ = try schema.migrate(to: Migration.all.count)
    _ = try schema.queues(creating: nil)
    try connection.run(script: rows)
    return database
  }

  static let rows = """
    insert into site(name, partition) values ('berlin', 3);
    insert into device(site_id, name) values (1, 'door');
    insert into beacon(site_id, uuid, major, minor, sightings, last_seen)
      values (1, '00112233-4455-6677-8899-aabbccddeeff', 1, 2, 7, (extract(epoch from now()) * 1000)::int8);
    """
}

struct ServerError: Error { var description: String }

extension PostgreSQLConnection {
  /// Runs a script, and returns the rows of its last statement with tabs between the columns.
  func lines(_ script: String) throws -> [String] {
    try run(script: script).rows.map { $0.map { $0 ?? "null" }.joined(separator: "\t") }
  }
}
