import DBus
import Instants
import MonitorProtocol
import Records

/// A report to a location listener.
public enum RemoteLocationEvent {
  /// The location, with the keys of `LocationReport`.
  case located(Record)
  /// No source knows the location, for this reason; the sources keep trying.
  case unknown(String)
}

extension MonitorClient {
  /// Follows the device's location while the returned object is held.
  ///
  /// - Parameters:
  ///   - onFailure: called when the daemon has refused the request.
  ///   - handler: called with each report.
  public func track(
    _ options: LocationUpdateOptions, onFailure: @escaping (DBusError) -> Void, handler: @escaping (RemoteLocationEvent) -> Void
  ) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon shows where this device is", start: [("StartUpdatingLocation", [options.record.dbusValue])],
      signals: ["LocationUpdated", "LocationUnknown"], onFailure: onFailure
    ) { signal in
      switch signal.signature {
      case "a{sv}": if let location = Record(signal.arguments[0]) { handler(.located(location)) }
      case "s": handler(.unknown(signal.arguments[0].string ?? ""))
      default: break
      }
    }
  }

  /// Requests one location while the returned object is held.
  ///
  /// - Parameters:
  ///   - accuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - locale: the language of the names of places; nil for that of the daemon.
  ///   - onProgress: takes increasingly accurate fixes.
  ///   - completion: takes the final location.
  public func locate(
    desiredAccuracy accuracy: Double, timeout: Span, locale: String? = nil, onFailure: @escaping (DBusError) -> Void,
    onProgress: @escaping (Record) -> Void,
    completion: @escaping (Record) -> Void
  ) -> RemoteStream {
    var options: [(String, DBusValue)] = [("desiredAccuracy", .double(accuracy)), ("timeout", .string(timeout.text))]
    if let locale { options.append(("locale", .string(locale))) }
    return RemoteStream(
      connection, purpose: "beaconmon shows where this device is", start: [("RequestLocation", [.options(options)])],
      timeout: timeout + .seconds(300), signals: ["LocationRefined"]
    ) { values in
      if let location = values.first.flatMap({ Record($0) }) { completion(location) }
    } onFailure: {
      onFailure($0)
    } handler: { signal in
      if signal.signature == "a{sv}", let location = Record(signal.arguments[0]) { onProgress(location) }
    }
  }
}
