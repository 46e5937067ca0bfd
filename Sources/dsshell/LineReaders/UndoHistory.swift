/// The states of a line that undo restores.
struct UndoHistory {
  struct State: Equatable {
    let text: String
    /// A UTF-8 offset into ``text``.
    let cursor: Int
  }

  /// A change of one character; several of one kind in a row are undone together.
  private enum Kind { case insertion, deletion }

  private var earlier: [State] = []
  private var current = State(text: "", cursor: 0)
  /// The changes that led to ``current`` and are undone together.
  private var run: (kind: Kind, count: Int)?
  /// The bytes of ``earlier``.
  private var size = 0
  private static let maximumSize = 4 << 20
  private static let maximumRun = 20

  /// Adds the line after a key; the cursor alone makes no state.
  mutating func record(_ state: State) {
    defer { current = state }
    guard !state.text.utf8.elementsEqual(current.text.utf8) else { return }
    let kind = kind(of: state)
    if let kind, let run, run.kind == kind, run.count < Self.maximumRun {
      self.run = (kind, run.count + 1)
      return
    }
    run = kind.map { ($0, 1) }
    earlier.append(current)
    size += current.text.utf8.count
    while size > Self.maximumSize, earlier.count > 1 {
      size -= earlier.removeFirst().text.utf8.count
    }
  }

  private func kind(of state: State) -> Kind? {
    if Self.isOneScalar(from: current, to: state) { return .insertion }
    return Self.isOneScalar(from: state, to: current) ? .deletion : nil
  }

  /// Whether `longer` is `shorter` with one scalar inserted at its cursor.
  private static func isOneScalar(from shorter: State, to longer: State) -> Bool {
    let length = longer.cursor - shorter.cursor
    guard (1...4).contains(length),
      longer.text.utf8.count == shorter.text.utf8.count + length
    else { return false }
    let added = longer.text.utf8.dropFirst(shorter.cursor).prefix(length)
    return String(decoding: added, as: UTF8.self).unicodeScalars.count == 1
  }

  /// The state before the last change; nil without one.
  mutating func undo() -> State? {
    guard let state = earlier.popLast() else { return nil }
    size -= state.text.utf8.count
    current = state
    run = nil
    return state
  }
}
