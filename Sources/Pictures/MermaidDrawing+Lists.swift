internal import DisplayText

// Table views and lists as groups of boxes, lanes as a sequence.
extension MermaidDrawing {
  func lines(_ table: Picture.TableView, title: String) -> [String] {
    var groups: [(title: String, items: [String])] = []
    for line in table.lines {
      var text = [line.title, line.detail].filter { !$0.isEmpty }.joined(separator: ", ")
      if let mark = line.mark { text += " (\(mark.text))" }
      // Rows before the first header have a group without a title.
      if line.kind == .header || groups.isEmpty { groups.append(("", [])) }
      if line.kind == .header {
        groups[groups.count - 1].title = text
      } else {
        groups[groups.count - 1].items.append(text)
      }
    }
    if !table.index.isEmpty { groups.append(("index", [table.index.joined(separator: " ")])) }
    return lines(groups, title: title)
  }

  func lines(_ columns: [Picture.Column], title: String) -> [String] {
    lines(
      columns.map { column in
        let items = column.items.map { item in
          let detail = item.detail.isEmpty ? "" : ", \(item.detail)"
          return item.label + detail + (item.isDifferent ? " *" : "")
        }
        return (([column.title] + column.notes).joined(separator: ": "), items)
      }, title: title)
  }

  /// A group of boxes for each list, one below the other.
  private func lines(_ groups: [(title: String, items: [String])], title: String) -> [String] {
    var lines = ["flowchart LR", "  accTitle: \(title.mermaid)"]
    for (number, group) in groups.enumerated() {
      lines += ["  subgraph g\(number) [\"\(group.title.mermaid)\"]", "    direction TB"]
      // A group needs a box.
      let items = group.items.isEmpty ? [""] : group.items
      for (position, item) in items.enumerated() {
        lines.append("    g\(number)b\(position)[\"\(item.mermaid)\"]")
      }
      if items.count > 1 {
        // Invisible links keep the order.
        let names = items.indices.map { "g\(number)b\($0)" }
        lines.append("    " + names.joined(separator: " ~~~ "))
      }
      lines.append("  end")
    }
    return lines
  }

  func lines(
    _ lanes: [Picture.Lane], _ messages: [Picture.Message], title: String
  ) -> [String] {
    var lines = ["sequenceDiagram", "  accTitle: \(title.mermaid)"]
    // A diagram needs a lane.
    lines +=
      (lanes.isEmpty ? [Picture.Lane("")] : lanes).enumerated().map {
        "  participant l\($0) as \($1.name.mermaid)"
      }
    for message in messages {
      if message.ends.isEmpty {
        lines.append("  Note over l\(message.start): \(message.label.mermaid)")
      }
      let arrow = message.isFailure ? "-x" : "->>"
      lines += message.ends.map {
        "  l\(message.start)\(arrow)l\($0): \(message.label.mermaid)"
      }
    }
    return lines
  }
}
