/// The text of a search while it is typed.
struct PagerSearch {
  private var text = ""

  enum Progress: Equatable { case typing, canceled, done(String) }

  var prompt: String { "/" + text }

  mutating func type(_ key: PagerKey) -> Progress {
    switch key {
    case .character("\r"), .character("\n"): return .done(text)
    case .character("\u{3}"), .sequence(""): return .canceled
    case .character("\u{8}"), .character("\u{7F}"):
      return text.popLast() == nil ? .canceled : .typing
    case .character("\u{15}"): text = ""
    case .character(let scalar) where scalar.value >= 0x20: text.unicodeScalars.append(scalar)
    case .character, .sequence: break
    }
    return .typing
  }
}
