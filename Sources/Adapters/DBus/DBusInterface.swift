/// An interface of an exported object, as a value: its name, its members and their handlers.
public struct DBusInterface {
  public var name: String
  public var methods: [DBusMethod]
  public var properties: [DBusProperty]
  public var signals: [DBusSignal]

  public init(_ name: String, methods: [DBusMethod] = [], properties: [DBusProperty] = [], signals: [DBusSignal] = []) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// A named argument and its one complete type.
public struct DBusArgument {
  public var name: String
  public var signature: String

  public init(_ name: String, _ signature: String) {
    self.name = name
    self.signature = signature
  }
}

public struct DBusMethod {
  public var name: String
  public let inputs: [DBusArgument]
  public let outputs: [DBusArgument]
  let inputSignature: String
  let outputSignature: String
  /// Whether other callers than insiders of the tree may call the method.
  var isOpen = true
  var answer: (MethodCall) -> Void

  /// Declares a method that the handler answers with its result or its error.
  /// Its arguments have the declared types already.
  public init(
    _ name: String, in inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [],
    handler: @escaping (MethodCall) throws(DBusError) -> [DBusValue]
  ) {
    self.name = name
    (self.inputs, self.outputs) = (inputs, outputs)
    // Every call is compared with them.
    (inputSignature, outputSignature) = (inputs.map(\.signature).joined(), outputs.map(\.signature).joined())
    answer = { call in
      do throws(DBusError) {
        call.reply(try handler(call))
      } catch {
        call.fail(error)
      }
    }
  }

  /// Declares a method that is answered later: the handler keeps the call and finishes it with `reply` or `fail`.
  public static func deferred(
    _ name: String, in inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [], handler: @escaping (MethodCall) -> Void
  ) -> DBusMethod {
    var method = DBusMethod(name, in: inputs, out: outputs) { _ in [] }
    method.answer = handler
    return method
  }

  /// A copy of the method that only insiders of the tree may call.
  public var forInsiders: DBusMethod {
    var method = self
    method.isOpen = false
    return method
  }
}

/// A read-only property; changes are made by methods.
public struct DBusProperty {
  /// The notice that PropertiesChanged gives: the annotation org.freedesktop.DBus.Property.EmitsChangedSignal.
  public enum Change: String, Sendable {
    /// Sends the new value.
    case value = "true"
    /// Sends only that there is a new value.
    case invalidates
    /// Never changes during the life of the object.
    case constant = "const"
    /// Sends no signal.
    case silent = "false"
  }

  public var name: String
  public var signature: String
  public var change: Change
  /// Whether other callers than insiders of the tree may read the property.
  var isOpen = true
  /// Returns the value, or nil if there is none.
  /// Lists omit a property without a value, and reading it is an error.
  public var read: () -> DBusValue?

  public init(_ name: String, _ signature: String, change: Change = .value, read: @escaping () -> DBusValue?) {
    self.name = name
    self.signature = signature
    self.change = change
    self.read = read
  }

  /// A copy of the property that only insiders of the tree may read.
  public var forInsiders: DBusProperty {
    var property = self
    property.isOpen = false
    return property
  }
}

public struct DBusSignal {
  public var name: String
  public var arguments: [DBusArgument]

  public init(_ name: String, _ arguments: [DBusArgument] = []) {
    self.name = name
    self.arguments = arguments
  }
}
