/// Makes keys of strings whose bytes order as a comparison orders the strings. Strings that the
/// comparison finds equal have equal keys.
package struct TextOrderKey: Sendable {
  private enum Form: Sendable {
    case compare, caseInsensitive, numeric
    case localized(CollationKeys)
  }
  private let form: Form

  /// - Throws: ``TableError``, `badArgument` for a locale that does not exist.
  package init(
    _ comparison: SortDescriptor.Comparison, locale: String? = nil
  ) throws {
    form =
      switch comparison {
      case .compare: .compare
      case .caseInsensitive: .caseInsensitive
      case .numeric: .numeric
      case .localized, .localizedCaseInsensitive, .localizedStandard:
        .localized(try Collation(comparison, locale: locale).makeKeys())
      }
  }

  package func bytes(of text: String) -> [UInt8] {
    switch form {
    case .compare: Array(text.composed.utf8)
    case .caseInsensitive: Array(text.lowercased().composed.utf8)
    case .numeric: NumericText(text).orderKey
    case .localized(let collation): collation.bytes(of: text)
    }
  }
}
