/// The values that modules above this one keep with a session, one of each type.
package struct Attachments {
  private var values: [ObjectIdentifier: Any] = [:]

  package subscript<Value>(type: Value.Type) -> Value? {
    get { values[ObjectIdentifier(type)] as? Value }
    set { values[ObjectIdentifier(type)] = newValue }
  }
}
