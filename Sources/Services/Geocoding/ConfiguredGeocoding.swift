public import Addresses
public import Logging
public import Scheduling

/// The addresses as the configuration says: a service for its server, or none.
public final class ConfiguredGeocoding {
  /// The service for the present server; nil while no addresses are looked up.
  public private(set) var service: GeocodingService?

  private let scheduler: any Scheduler
  private let file: () -> (any AddressFile)?
  private let server: (GeocodingSettings) -> any AddressServer
  private let log: Logger
  private var settings: GeocodingSettings?
  private var isConfigured = false

  /// - Parameters:
  ///   - file: returns the file of answers; nil keeps them in memory.
  ///   - server: returns the server of a configuration.
  public init(
    _ scheduler: any Scheduler, file: @escaping () -> (any AddressFile)?, log: Logger,
    server: @escaping (GeocodingSettings) -> any AddressServer
  ) {
    (self.scheduler, self.file, self.server, self.log) = (scheduler, file, server, log)
  }

  /// Looks up addresses as the configuration says from now on. Nil looks up none, and keeps nothing of addresses.
  ///
  /// The present service continues if nothing has changed. Otherwise it ends, and its requests complete without an address.
  public func configure(_ settings: GeocodingSettings?) {
    guard !isConfigured || settings != self.settings else { return }
    service?.end()
    // The server has demanded its pause for this device, not for this language.
    let pacer = settings?.url == self.settings?.url ? service?.pacer : nil
    (self.settings, isConfigured) = (settings, true)
    guard let settings else {
      service = nil
      file()?.remove()
      return
    }
    service = GeocodingService(scheduler, server(settings), file(), language: settings.language, pacer: pacer, log: log)
  }

  /// Stores the answers, and ends all requests without an address.
  public func end() { service?.end() }
}
