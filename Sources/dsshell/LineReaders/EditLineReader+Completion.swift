import CEdit
import DSInterpreter
import DSRendering
import Glibc

extension EditLineReader {
  /// Tab: adds what all candidates have in common; the second one lists them.
  /// - Returns: what libedit does then.
  func completeWord() -> UInt8 {
    guard let (text, cursor) = line else { return UInt8(CC_ERROR) }
    let completions = complete(text, cursor)
    let typed = Array(text.utf8.prefix(cursor).dropFirst(completions.start))
    let word = String(decoding: typed, as: UTF8.self)
    guard completions.start <= cursor, let first = completions.candidates.first else {
      return UInt8(CC_REFRESH_BEEP)
    }
    if completions.candidates.count == 1 {
      replace(word, with: first.last == "." || first.last == "/" ? first : first + " ")
      return UInt8(CC_REFRESH)
    }
    let common = CandidateList.commonPrefix(completions.candidates)
    if common != word && common.unicodeScalars.count >= word.unicodeScalars.count {
      replace(word, with: common)
      return UInt8(CC_REFRESH)
    }
    guard ambiguous == text else {
      ambiguous = text
      return UInt8(CC_REFRESH_BEEP)
    }
    ambiguous = nil
    let width = Terminal(STDOUT_FILENO, allowsColor: false).width ?? 80
    write("\n" + CandidateList(completions.candidates, width: width).text)
    return UInt8(CC_REDISPLAY)
  }

  private func replace(_ word: String, with text: String) {
    el_deletestr(edit, Int32(clamping: word.unicodeScalars.count))
    el_insertstr(edit, text)
  }
}
