/// An interface of an exported object, as a value: what it is called, what can be asked of it and who answers.
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
  public var inputs: [DBusArgument]
  public var outputs: [DBusArgument]
  /// False for a method that only insiders of the tree may call.
  var isOpen = true
  var answer: (MethodCall) -> Void

  /// Answered by what the handler returns or throws. Its arguments have the declared types already.
  public init(
    _ name: String, in inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [],
    handler: @escaping (MethodCall) throws(DBusError) -> [DBusValue]
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    answer = { call in
      do throws(DBusError) {
        call.reply(try handler(call))
      } catch {
        call.fail(error)
      }
    }
  }

  /// Answered later: the handler keeps the call and finishes it with `reply` or `fail`.
  public static func deferred(
    _ name: String, in inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [], handler: @escaping (MethodCall) -> Void
  ) -> DBusMethod {
    var method = DBusMethod(name, in: inputs, out: outputs) { _ in [] }
    method.answer = handler
    return method
  }

  /// The same method, but only for insiders of the tree.
  public var forInsiders: DBusMethod {
    var method = self
    method.isOpen = false
    return method
  }

  var inputSignature: String { inputs.map(\.signature).joined() }
  var outputSignature: String { outputs.map(\.signature).joined() }
}

/// A property that can be read. None can be written: what changes something is a method.
public struct DBusProperty {
  /// What PropertiesChanged says about it: the annotation org.freedesktop.DBus.Property.EmitsChangedSignal.
  public enum Change: String {
    /// Sends the new value.
    case value = "true"
    /// Sends only that there is a new value.
    case invalidates
    /// Never changes during the life of the object.
    case constant = "const"
    /// Changes without a word.
    case silent = "false"
  }

  public var name: String
  public var signature: String
  public var change: Change
  /// False for a property that only insiders of the tree may read.
  var isOpen = true
  /// Nil while there is no value; the property is then left out where all are listed, and reading it is an error.
  public var read: () -> DBusValue?

  public init(_ name: String, _ signature: String, change: Change = .value, read: @escaping () -> DBusValue?) {
    self.name = name
    self.signature = signature
    self.change = change
    self.read = read
  }

  /// The same property, but only for insiders of the tree.
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
