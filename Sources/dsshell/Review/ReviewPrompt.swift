import DSRendering
import DSReplay
import DataTables
import DisplayText
import Glibc

/// The review of an update at the terminal (`dsshell test --review`): shows each change and asks what to
/// do with it.
///
/// The changes of a script are written when all of them are decided. An interruption, or the end of the
/// input, leaves the script as it was.
struct ReviewPrompt {
  private let input = Terminal(STDIN_FILENO, allowsColor: false)
  private let output: Terminal

  /// - Returns: nil if standard input or output is not a terminal.
  init?(allowsColor: Bool) {
    output = Terminal(STDOUT_FILENO, allowsColor: allowsColor)
    guard input.isTerminal, output.isTerminal else { return nil }
  }

  private enum Answer: CaseIterable {
    case accept, reject, skip, edit, ignore, hole, acceptRest, quit, help

    var key: Character {
      switch self {
      case .accept: "y"
      case .reject: "n"
      case .skip: "s"
      case .edit: "e"
      case .ignore: "i"
      case .hole: "h"
      case .acceptRest: "a"
      case .quit: "q"
      case .help: "?"
      }
    }

    func meaning(_ hunk: FileReview.Hunk) -> String {
      switch self {
      case .accept: "accept this change"
      case .reject: "reject it: the test keeps failing"
      case .skip: "decide later"
      case .edit: "edit the new lines in $EDITOR"
      case .ignore:
        (hunk.keys.count == 1 ? "ignore the values of " : "ignore the values of some of ")
          + hunk.keys.joined(separator: ", ")
      case .hole: "keep the lines, with holes for what differs"
      case .acceptRest: "accept this and all later changes of the file"
      case .quit: "quit; the accepted changes of this file are written"
      case .help: "show this help"
      }
    }

    func applies(to hunk: FileReview.Hunk) -> Bool {
      switch self {
      case .edit: !hunk.replacement.isEmpty
      case .ignore: !hunk.keys.isEmpty
      case .hole: hunk.canHaveHoles
      default: true
      }
    }
  }

  /// Asks about the changes of a script.
  /// - Returns: nil if the review was interrupted; then nothing of the script may be written.
  func decide(_ review: FileReview) -> TestRun.Reviewed? {
    var review = review
    var isComplete = true
    var index = 0
    while index < review.hunks.count {
      let hunk = review.hunks[index]
      show(hunk, number: index + 1, of: review.hunks.count, path: review.path)
      switch ask(about: index, &review) {
      case .next(let isAccepted):
        if !isAccepted { isComplete = false }
        index += 1
      case .continueAt(let next, let isAccepted):
        if !isAccepted { isComplete = false }
        index = next
      case .acceptRest:
        for other in index..<review.hunks.count { review.accept(other) }
        index = review.hunks.count
      case .quit:
        return TestRun.Reviewed(
          corrections: review.corrections, isComplete: false, isLast: true)
      case .interrupted: return nil
      }
    }
    return TestRun.Reviewed(
      corrections: review.corrections, isComplete: isComplete, isLast: false)
  }

  private enum Step {
    case next(isAccepted: Bool)
    case continueAt(Int, isAccepted: Bool)
    case acceptRest, quit, interrupted
  }

  /// Asks until a change is decided.
  private func ask(about index: Int, _ review: inout FileReview) -> Step {
    while true {
      let hunk = review.hunks[index]
      guard let answer = answer(hunk) else { return .interrupted }
      switch answer {
      case .accept:
        review.accept(index)
        return .next(isAccepted: true)
      case .reject, .skip: return .next(isAccepted: false)
      case .acceptRest: return .acceptRest
      case .quit: return .quit
      case .ignore:
        guard let keys = ignoredKeys(of: hunk) else { return .interrupted }
        if keys.isEmpty { continue }
        write(["+" + FileReview.directive(ignoring: keys)])
        // Other differences remain.
        return .continueAt(
          review.ignore(keys, of: index), isAccepted: keys.count == hunk.keys.count)
      case .hole:
        guard let problem = review.makeHoles(index) else { return shown(review.hunks[index]) }
        output.write("\(problem)\n")
      case .edit:
        guard let lines = ExternalEditor().edited(hunk.replacement) else {
          output.write("the editor failed; the change is as before\n")
          continue
        }
        guard let problem = review.accept(index, writing: lines) else {
          return shown(review.hunks[index])
        }
        output.write("the lines are not accepted: \(problem.escapingControls())\n")
      case .help:
        for answer in Answer.allCases where answer.applies(to: hunk) {
          output.write("\(answer.key)  \(answer.meaning(hunk).escapingControls())\n")
        }
      }
    }
  }

  /// The keys whose values are to be ignored: the only one that differs, or those of an answer.
  /// - Returns: none for an empty answer; nil at the end of the input and when a signal arrives.
  private func ignoredKeys(of hunk: FileReview.Hunk) -> [String]? {
    if hunk.keys.count == 1 { return hunk.keys }
    let names = hunk.keys.joined(separator: ", ")
    while true {
      output.write("Ignore which of \(names.escapingControls())? [names, or all] ")
      guard let answer = readAnswer() else {
        output.write("\n")
        return nil
      }
      if answer == "all" { return hunk.keys }
      let words = answer.split(separator: ",").map {
        $0.split(separator: " ").joined(separator: " ")
      }
      guard let unknown = words.first(where: { !hunk.keys.contains($0) }) else {
        return hunk.keys.filter(words.contains)
      }
      output.write("`\(unknown.escapingControls())` is not one of \(names.escapingControls())\n")
    }
  }

  /// Shows a change as it was accepted.
  private func shown(_ hunk: FileReview.Hunk) -> Step {
    write(hunk.shown)
    return .next(isAccepted: true)
  }

  private func show(_ hunk: FileReview.Hunk, number: Int, of count: Int, path: String) {
    let title = hunk.section.map { " › \($0)" } ?? ""
    let place = "\(path):\(hunk.line)\(title)".escapingControls()
    output.write("\n\(place)  (\(number) of \(count))\n")
    for line in hunk.command { output.write("  \(line.escapingControls(keepsTabs: true))\n") }
    write(hunk.shown)
  }

  private static let mostLines = 200

  private func write(_ lines: [String]) {
    for line in lines.prefix(Self.mostLines) {
      let text = line.escapingControls(keepsTabs: true)
      let color =
        switch line.first {
        case "-": "31"
        case "+": "32"
        default: ""
        }
      let isPainted = output.traits.hasColor && !color.isEmpty
      output.write(isPainted ? "\u{1B}[\(color)m\(text)\u{1B}[0m\n" : text + "\n")
    }
    let others = lines.count - Self.mostLines
    if others > 0 { output.write("… \(others) more lines\n") }
  }

  /// - Returns: nil at the end of the input and when a signal arrives.
  private func answer(_ hunk: FileReview.Hunk) -> Answer? {
    let answers = Answer.allCases.filter { $0.applies(to: hunk) }
    while !Interrupts.cancellation.isCancelled {
      let keys = answers.map { String($0.key) }.joined(separator: ",")
      output.write("Accept this change? [\(keys)] ")
      guard let line = readAnswer() else {
        output.write("\n")
        return nil
      }
      if let answer = answers.first(where: { String($0.key) == line.lowercased() }) {
        return answer
      }
      if let help = answers.first(where: { $0 == .help }) { return help }
    }
    return nil
  }

  /// One line of the terminal, without the spaces around it.
  private func readAnswer() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if Interrupts.cancellation.isCancelled { return nil }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}
