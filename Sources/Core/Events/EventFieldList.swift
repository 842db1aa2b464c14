import Records

/// The fields of a part in their order, and the part without any value.
///
/// Both come from one call of the memberwise initializer of the part, so that a property without a field does not compile.
struct EventFieldList<Part: EventPart>: Sendable {
  let fields: [EventField<Part>]
  let blank: Part

  /// - Parameter part: Calls the initializer. Each argument declares the field of its property, and returns the value for `blank`.
  init(_ part: (inout EventFieldDeclaration<Part>) -> Part) {
    var declaration = EventFieldDeclaration<Part>()
    blank = part(&declaration)
    fields = declaration.fields
  }
}

/// Collects the fields of a part.
struct EventFieldDeclaration<Part: EventPart> {
  private(set) var fields: [EventField<Part>] = []

  mutating func callAsFunction<Value: EventFieldValue>(
    _ key: String, _ path: any WritableKeyPath<Part, Value?> & Sendable, column: Int?
  ) -> Value? {
    fields.append(EventField(key, path, column: column))
    return nil
  }

  /// Declares a field for a required value, without which the part is absent.
  mutating func callAsFunction<Value: EventFieldValue>(
    required key: String, _ path: any WritableKeyPath<Part, Value> & Sendable, blank: Value, column: Int?
  ) -> Value {
    fields.append(EventField(required: key, path, column: column))
    return blank
  }

  /// Declares a field for a number that is rounded to `decimals`.
  mutating func callAsFunction(
    _ key: String, _ path: any WritableKeyPath<Part, Double?> & Sendable, decimals: Int, column: Int?
  ) -> Double? {
    fields.append(EventField(key, path, decimals: decimals, column: column))
    return nil
  }

  mutating func callAsFunction(
    required key: String, _ path: any WritableKeyPath<Part, Double> & Sendable, blank: Double, decimals: Int, column: Int?
  ) -> Double {
    fields.append(EventField(required: key, path, decimals: decimals, column: column))
    return blank
  }

  /// Declares a field for an object.
  mutating func callAsFunction<Value: EventPart>(
    _ key: String, part path: any WritableKeyPath<Part, Value?> & Sendable
  ) -> Value? {
    fields.append(EventField(key, part: path))
    return nil
  }

  mutating func callAsFunction<Value: EventPart>(
    required key: String, part path: any WritableKeyPath<Part, Value> & Sendable
  ) -> Value {
    fields.append(EventField(required: key, part: path))
    return Value.blank
  }
}
