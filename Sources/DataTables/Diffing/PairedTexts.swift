/// Two columns of mostly distinct strings, compared row by row: where it is known which rows belong
/// together, their bytes tell most of it, and none needs to be hashed.
struct PairedTexts {
  private let oldCodes: RowCodes
  private let newCodes: RowCodes
  private let oldTexts: TextHeap
  private let newTexts: TextHeap

  /// nil unless there are two columns, both with their strings as bytes.
  init?(_ columns: [KeyColumn]) {
    guard columns.count == 2,
      case .coded(let oldCodes, let oldValues) = columns[0],
      case .coded(let newCodes, let newValues) = columns[1],
      case .texts(let oldTexts) = oldValues.storage, case .texts(let newTexts) = newValues.storage
    else { return nil }
    self.oldCodes = oldCodes
    self.newCodes = newCodes
    self.oldTexts = oldTexts
    self.newTexts = newTexts
  }

  /// Whether the values of two rows are unequal.
  /// - Complexity: O(bytes); strings are made only of texts whose bytes differ.
  func differ(old: Int, new: Int) -> Bool {
    let (oldBlock, oldIndex) = oldTexts.place(of: oldCodes[old])
    let (newBlock, newIndex) = newTexts.place(of: newCodes[new])
    let isNull = oldBlock.isNull(oldIndex)
    if isNull || newBlock.isNull(newIndex) { return isNull != newBlock.isNull(newIndex) }
    let before = oldBlock.text(oldIndex)
    let after = newBlock.text(newIndex)
    if before.elementsEqual(after) { return false }
    // Strings of other bytes can be canonically equivalent.
    return String(decoding: before, as: UTF8.self) != String(decoding: after, as: UTF8.self)
  }
}
