extension RequestParameter {
  /// Whether a header tells a server who asks, or which server is meant: what goes to no other.
  package var isCredential: Bool {
    value.isSecret || SecretNames.contains(name) || name.lowercased() == "host"
  }
}
