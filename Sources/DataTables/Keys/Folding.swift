import Foundation

/// The string without differences of case and of accents, by the rules of no language.
func folded(_ string: String) -> String {
  if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.lowercased() }
  return string.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
}
