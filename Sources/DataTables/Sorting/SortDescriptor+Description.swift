extension SortDescriptor: CustomStringConvertible {
  /// The descriptor as it is typed, without what is the default, and what holds for all descriptors
  /// behind it: `age desc`, `name localized (sv)`, `price (nulls last)`.
  public var description: String {
    let shared = [nulls.map { "nulls \($0.rawValue)" }, locale].compactMap { $0 }
    return typed + (shared.isEmpty ? "" : " (\(shared.joined(separator: ", ")))")
  }

  private var typed: String {
    var words = [keyPath.description]
    if direction != .ascending { words.append(direction.rawValue) }
    if comparison != .compare { words.append(comparison.rawValue) }
    return words.joined(separator: " ")
  }

  /// Descriptors as labels say them: `sort: kind, name localized nulls: last locale: sv`.
  ///
  /// A label holds for all of them; of descriptors that differ, the first tells.
  public static func labels(_ descriptors: [SortDescriptor]) -> String {
    var labels = ["sort: " + descriptors.map(\.typed).joined(separator: ", ")]
    if let nulls = descriptors.lazy.compactMap(\.nulls).first {
      labels.append("nulls: \(nulls.rawValue)")
    }
    if let locale = descriptors.lazy.compactMap(\.locale).first {
      labels.append("locale: \(locale)")
    }
    return labels.joined(separator: " ")
  }
}
