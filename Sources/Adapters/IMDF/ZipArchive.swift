internal import CZip

/// The files of a zip archive in memory, read and written with libzip, which is loaded on demand.
struct ZipArchive {
  /// Limits against archives that decompress to more than a machine can hold.
  struct Limits {
    var mostEntries = 256
    /// The maximum number of octets of one decompressed file.
    var mostOctets = 32 << 20
    /// The maximum number of octets of all decompressed files together.
    var mostOctetsInTotal = 64 << 20
  }

  /// An entry of an archive that was not read.
  enum Refusal: Hashable {
    case unsafeName, encrypted, doubled
    case damaged(String)
  }

  private let functions: zip_library

  init() throws(IMDFError) {
    var functions = zip_library()
    if let problem = zip_library_load(&functions) { throw .missing(problem, package: "libzip4") }
    self.functions = functions
  }

  // MARK: Reading

  /// Decompresses the files whose names are wanted.
  ///
  /// Names are compared only, and never become paths: no entry is written to disk. An entry may lie in one folder, as in archives that a
  /// desktop makes of a folder. Sizes are those of the decompressed octets, whatever the archive states.
  ///
  /// - Parameter isWanted: receives the name without its folder.
  /// - Throws: if the octets are not a zip archive, or exceed a limit.
  func files(
    in octets: [UInt8], limits: Limits = Limits(), isWanted: (String) -> Bool, refused: (String, Refusal) -> Void
  ) throws(IMDFError) -> [String: [UInt8]] {
    try withArchive(octets) { archive throws(IMDFError) in
      let count = functions.get_num_entries(archive, 0)
      guard count >= 0, count <= limits.mostEntries else {
        throw .invalid("the archive has \(count) entries; at most \(limits.mostEntries) are allowed")
      }
      var files: [String: [UInt8]] = [:]
      var total = 0
      for index in 0..<zip_uint64_t(count) {
        var status = zip_stat_t()
        guard functions.stat_index(archive, index, 0, &status) == 0, let pointer = status.name else { continue }
        let path = String(cString: pointer)
        guard let name = Self.baseName(of: path) else {
          refused(path, .unsafeName)
          continue
        }
        guard isWanted(name) else { continue }
        guard status.encryption_method == ZIP_EM_NONE else {
          refused(path, .encrypted)
          continue
        }
        guard files[name] == nil else {
          refused(path, .doubled)
          continue
        }
        do throws(ReadError) {
          let content = try content(of: index, in: archive, most: min(limits.mostOctets, limits.mostOctetsInTotal - total))
          files[name] = content
          total += content.count
        } catch {
          switch error {
          case .tooLarge:
            throw .invalid(
              "\(name) has more than \(limits.mostOctets >> 20) MiB, or the files together more than \(limits.mostOctetsInTotal >> 20) MiB; "
                + "this is not the map of a venue")
          case .damaged(let text): refused(path, .damaged(text))
          }
        }
      }
      return files
    }
  }

  /// Returns the name without at most one folder; nil for names that lead out of a folder, and for folders.
  private static func baseName(of path: String) -> String? {
    guard !path.contains("\\"), !path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 }) else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts.contains(".."), !parts.contains("."), let name = parts.last else { return nil }
    // The name of a folder ends in a slash, so that this is empty.
    return String(name)
  }

  private enum ReadError: Error {
    case tooLarge
    case damaged(String)
  }

  private func content(of index: zip_uint64_t, in archive: OpaquePointer, most: Int) throws(ReadError) -> [UInt8] {
    guard let file = functions.fopen_index(archive, index, 0) else {
      throw .damaged(functions.strerror(archive).map { String(cString: $0) } ?? "unreadable")
    }
    defer { _ = functions.fclose(file) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { functions.fread(file, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw .damaged("the compressed data are damaged") }
      guard count > 0 else { return content }
      guard content.count + Int(count) <= most else { throw .tooLarge }
      content += chunk[..<Int(count)]
    }
  }

  private func withArchive<Result>(
    _ octets: [UInt8], _ body: (OpaquePointer) throws(IMDFError) -> Result
  ) throws(IMDFError) -> Result {
    // libzip reads no octets as an archive without entries.
    guard !octets.isEmpty else { throw .invalid("the file is empty") }
    var error = zip_error_t()
    functions.error_init(&error)
    defer { functions.error_fini(&error) }
    // libzip reads from the memory until the archive is discarded.
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, octets.count))
    defer { memory.deallocate() }
    memory.initialize(from: octets, count: octets.count)
    guard let source = functions.source_buffer_create(memory, zip_uint64_t(octets.count), 0, &error) else { throw invalid(&error) }
    guard let archive = functions.open_from_source(source, ZIP_RDONLY, &error) else {
      functions.source_free(source)
      throw invalid(&error)
    }
    defer { functions.discard(archive) }
    return try body(archive)
  }

  private func invalid(_ error: inout zip_error_t) -> IMDFError {
    let text = functions.error_strerror(&error).map { String(cString: $0) } ?? "unknown error"
    return .invalid("not a zip archive that can be read (\(text)); IMDF archives are zip files with a manifest.json")
  }

  // MARK: Writing

  /// Returns an archive. The same files give the same octets.
  func archive(of files: [(name: String, content: [UInt8])]) throws(IMDFError) -> [UInt8] {
    var error = zip_error_t()
    functions.error_init(&error)
    defer { functions.error_fini(&error) }
    guard let source = functions.source_buffer_create(nil, 0, 0, &error) else { throw invalid(&error) }
    defer { functions.source_free(source) }
    functions.source_keep(source)
    guard let archive = functions.open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
      functions.source_free(source)
      throw invalid(&error)
    }
    var memory: [UnsafeMutablePointer<UInt8>] = []
    defer { for pointer in memory { pointer.deallocate() } }
    for file in files {
      let pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, file.content.count))
      pointer.initialize(from: file.content, count: file.content.count)
      memory.append(pointer)
      guard let content = functions.source_buffer(archive, pointer, zip_uint64_t(file.content.count), 0) else {
        throw discarding(archive)
      }
      let index = functions.file_add(archive, file.name, content, zip_flags_t(ZIP_FL_ENC_UTF_8))
      guard index >= 0 else {
        functions.source_free(content)
        throw discarding(archive)
      }
      // The beginning of DOS time, so that the octets do not depend on the clock.
      _ = functions.file_set_dostime(archive, zip_uint64_t(index), 0, 0x21, 0)
    }
    guard functions.close(archive) == 0 else { throw discarding(archive) }
    guard functions.source_open(source) == 0 else { throw .invalid("the archive cannot be written") }
    defer { _ = functions.source_close(source) }
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { functions.source_read(source, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw .invalid("the archive cannot be written") }
      guard count > 0 else { return octets }
      octets += chunk[..<Int(count)]
    }
  }

  private func discarding(_ archive: OpaquePointer) -> IMDFError {
    let text = functions.strerror(archive).map { String(cString: $0) } ?? "unknown error"
    functions.discard(archive)
    return .invalid("the archive cannot be written: \(text)")
  }
}
