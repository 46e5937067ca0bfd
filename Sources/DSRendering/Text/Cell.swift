internal import DataTables
internal import DisplayText

/// A cell of a table for people: one line of text with its width and role.
struct Cell {
  enum Role { case text, number, null, heading, indexPath }
  let text: String
  let width: Int
  let role: Role

  init(_ text: String, role: Role = .text) {
    self.text = text
    self.role = role
    width = text.displayWidth
  }

  /// - Parameters:
  ///   - value: nil when the object lacks the key, which leaves the cell empty.
  ///   - terminal: determines how many elements of an array are written.
  init(_ value: Value?, for terminal: TerminalTraits) {
    guard let value else { self.init(""); return }
    self.init(
      value.text(limit: terminal.rowLimit),
      role: value.isNull ? .null : value.isNumber ? .number : .text)
  }

  /// The text, shortened to the width `cells` and styled by its role.
  func shown(in cells: Int, paint: Paint) -> String {
    let text = width > cells ? text.shortened(to: cells) : text
    return switch role {
    case .null, .indexPath: paint.dim(text)
    case .heading: paint.bold(text)
    case .text, .number: text
    }
  }
}
