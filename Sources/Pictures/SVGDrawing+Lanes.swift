internal import DisplayText

// Lanes over time, as images.
extension SVGDrawing {
  private static let step = 34
  private static let leastDistance = 140

  func elements(_ lanes: [Picture.Lane], _ messages: [Picture.Message]) -> Drawn {
    let distances = self.distances(lanes, messages)
    var middles: [Int] = []
    var x = Self.margin + (lanes.first.map { Self.width(of: $0) } ?? 0) / 2
    for distance in distances {
      middles.append(x)
      x += distance
    }
    let top = Self.margin * 3
    let head = Self.line + 10
    let bottom = top + head + messages.count * Self.step + Self.margin
    var elements: [String] = []
    for (lane, middle) in zip(lanes, middles) {
      let width = Self.width(of: lane)
      elements.append(
        "<path class=\"lane\" d=\"M\(middle) \(top + head) V\(bottom)\"/>")
      elements.append(
        rectangle("box", x: middle - width / 2, y: top, width: width, height: head, radius: 4))
      elements.append(
        "<text x=\"\(middle)\" y=\"\(top + 18)\" class=\"title\" text-anchor=\"middle\">"
          + Self.shown(lane.name).escapedForMarkup + "</text>")
    }
    var right = (middles.last ?? 0) + (lanes.last.map { Self.width(of: $0) } ?? 0) / 2
    for (number, message) in messages.enumerated() {
      let y = top + head + (number + 1) * Self.step
      elements += self.elements(of: message, middles, y: y)
      right = max(right, Self.rightEdge(of: message, middles))
    }
    return Drawn(elements: elements, width: right + Self.margin, height: bottom)
  }

  private static func width(of lane: Picture.Lane) -> Int { (cells(lane.name) + 2) * cell }

  /// The distance from each lane to the next one, so that texts do not overlap other lanes.
  private func distances(_ lanes: [Picture.Lane], _ messages: [Picture.Message]) -> [Int] {
    var distances = lanes.indices.map { lane in
      lane + 1 < lanes.count
        ? max(
          Self.leastDistance,
          (Self.width(of: lanes[lane]) + Self.width(of: lanes[lane + 1])) / 2 + Self.margin)
        : 0
    }
    for message in messages {
      let needed = (Self.cells(message.label) + 4) * Self.cell
      let span = message.span
      let crossed =
        message.ends.isEmpty ? [span.lowerBound] : Array(span.lowerBound..<span.upperBound)
      // The text of an event after the last lane has room.
      guard let last = crossed.last, last + 1 < lanes.count else { continue }
      let missing = needed - crossed.reduce(0) { $0 + distances[$1] }
      if missing > 0 { distances[last] += missing }
    }
    return distances
  }

  private static func rightEdge(of message: Picture.Message, _ middles: [Int]) -> Int {
    message.ends.isEmpty ? middles[message.start] + (cells(message.label) + 2) * cell : 0
  }

  private func elements(of message: Picture.Message, _ middles: [Int], y: Int) -> [String] {
    let style = message.isFailure ? "failed" : ""
    let label = Self.shown(message.label)
    guard !message.ends.isEmpty else {
      let x = middles[message.start]
      return [
        "<circle class=\"head\" cx=\"\(x)\" cy=\"\(y - 4)\" r=\"4\"/>",
        text(label, x: x + Self.cell, y: y, style: style),
      ]
    }
    let start = middles[message.start]
    var elements: [String] = []
    for lane in message.ends {
      let end = middles[lane]
      let back = end < start ? 8 : -8
      elements.append("<path class=\"arrow\" d=\"M\(start) \(y) H\(end + back)\"/>")
      elements.append(
        "<path class=\"head\" d=\"M\(end + back) \(y - 4) V\(y + 4) L\(end) \(y) Z\"/>")
    }
    let left = middles[message.span.lowerBound]
    elements.append(text(label, x: left + Self.cell * 2, y: y - 5, style: style))
    return elements
  }
}
