import Foundation

extension Comparison.Options {
  /// The text without accents, by the rules of no language.
  func unaccented(_ text: String) -> String {
    text.folding(options: .diacriticInsensitive, locale: nil)
  }
}
