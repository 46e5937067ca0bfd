internal import DisplayText

// Messages between lanes as text: arrows at the left, their texts at the right.
extension TextDrawing {
  private static let widthsOfLane = 4...18

  func lines(_ lanes: [Picture.Lane], _ messages: [Picture.Message]) -> [String] {
    let names = lanes.map { $0.name.escapingControls() }
    let number = String(messages.count).count + 2
    let longest = (names.map(\.displayWidth).max() ?? 0) + 2
    // The lanes leave a third of the line to the texts of the messages.
    let room = (width * 2 / 3 - number) / max(1, lanes.count)
    let range = Self.widthsOfLane
    let cells = min(max(min(longest, room), range.lowerBound), range.upperBound)
    let header =
      String(repeating: " ", count: number)
      + names.map { $0.shortened(to: cells - 2).centered(in: cells) }.joined()
    return [header.trimmed]
      + messages.enumerated().map { index, message in
        let text = String(index + 1).padded(to: number)
        let arrows = Self.arrows(of: message, lanes: lanes.count, cells: cells)
        return (text + arrows + "  " + message.label.escapingControls()).trimmed
      }
  }

  /// `    │        ◀────────┤    `
  private static func arrows(of message: Picture.Message, lanes: Int, cells: Int) -> String {
    let middle = (cells - 1) / 2
    var text = ""
    for lane in 0..<lanes {
      let isEnd = message.ends.contains(lane)
      let isFirst = lane == message.span.lowerBound
      let isLast = lane == message.span.upperBound
      let isCrossed = message.span.contains(lane) && !message.ends.isEmpty
      let character =
        if lane == message.start {
          message.ends.isEmpty ? "●" : isFirst ? "├" : isLast ? "┤" : "┼"
        } else if isEnd {
          lane < message.start ? "◀" : "▶"
        } else {
          isCrossed ? "┼" : "│"
        }
      let before = isCrossed && !isFirst ? "─" : " "
      let after = isCrossed && !isLast ? "─" : " "
      text += String(repeating: before, count: middle) + character
      text += String(repeating: after, count: cells - middle - 1)
    }
    return text
  }
}

extension String {
  fileprivate func centered(in cells: Int) -> String {
    let before = max(0, cells - displayWidth) / 2
    return (String(repeating: " ", count: before) + self).padded(to: cells)
  }
}
