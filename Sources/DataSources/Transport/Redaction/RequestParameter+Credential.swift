extension RequestParameter {
  /// Whether a header tells a server who asks, or which server is meant: what goes to no other.
  package var isCredential: Bool {
    if case .secret = value { return true }
    return SecretNames.contains(name) || name.lowercased() == "host"
  }
}
