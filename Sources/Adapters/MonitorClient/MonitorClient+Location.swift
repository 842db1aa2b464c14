import DBus
import Instants
import Locating
import MonitorProtocol
import Records

/// What a listener to locations is told.
public enum LocationNews {
  /// The location, with the keys of `Location.record(at:)`.
  case located(Record)
  /// No source knows, and why; it goes on trying.
  case unknown(String)
}

extension MonitorClient {
  /// Follows where the device is while the object is held.
  public func track(
    _ request: LocationRequest, onFailure: @escaping (DBusError) -> Void, handler: @escaping (LocationNews) -> Void
  ) -> RemoteStream {
    var options: [(String, DBusValue)] = [("desiredAccuracy", .double(request.accuracy.metres))]
    if let filter = request.distanceFilter { options.append(("distanceFilter", .double(filter))) }
    return RemoteStream(
      connection, purpose: "beaconmon shows where this device is", start: ("StartUpdatingLocation", [.options(options)]),
      signals: ["LocationUpdated", "LocationUnknown"], onFailure: onFailure
    ) { signal in
      switch signal.signature {
      case "a{sv}": if let location = Record(signal.arguments[0]) { handler(.located(location)) }
      case "s": handler(.unknown(signal.arguments[0].string ?? ""))
      default: break
      }
    }
  }

  /// Asks once where the device is while the object is held: `onProgress` gets ever better fixes, `completion` the one that it ends with.
  public func locate(
    _ accuracy: DesiredAccuracy, timeout: Span, onFailure: @escaping (DBusError) -> Void, onProgress: @escaping (Record) -> Void,
    completion: @escaping (Record) -> Void
  ) -> RemoteStream {
    let options: [(String, DBusValue)] = [("desiredAccuracy", .double(accuracy.metres)), ("timeout", .string(timeout.text))]
    return RemoteStream(
      connection, purpose: "beaconmon shows where this device is", start: ("RequestLocation", [.options(options)]),
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
