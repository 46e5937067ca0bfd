import Foundation

/// The text without accents, by the rules of no language.
func unaccented(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
  return text.folding(options: .diacriticInsensitive, locale: nil)
}

/// The text with its accents in one scalar with their letters, where there is one.
func composed(_ text: String) -> String {
  // Below U+0300 nothing combines.
  if text.utf8.allSatisfy({ $0 < 0xCC }) { return text }
  return text.precomposedStringWithCanonicalMapping
}
