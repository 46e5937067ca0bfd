extension Picture {
  /// The picture with other texts: titles, labels and notes.
  public func mapTexts(_ transform: (String) -> String) -> Picture {
    Picture(transform(title), content.mapTexts(transform), note: note.map(transform))
  }
}

extension Picture.Content {
  fileprivate func mapTexts(_ transform: (String) -> String) -> Picture.Content {
    switch self {
    case .bars(let bars):
      return .bars(bars.map { Picture.Bar(transform($0.label), length: $0.length) })
    case .boxes(let boxes, let arrows):
      return .boxes(boxes.map { Picture.Box($0.lines.map(transform)) }, arrows: arrows)
    case .table(var table):
      for line in table.lines.indices {
        table.lines[line].title = transform(table.lines[line].title)
        table.lines[line].detail = transform(table.lines[line].detail)
        if let mark = table.lines[line].mark { table.lines[line].mark?.text = transform(mark.text) }
      }
      table.index = table.index.map(transform)
      return .table(table)
    case .lanes(let lanes, var messages):
      for message in messages.indices {
        messages[message].text = transform(messages[message].text)
        messages[message].detail = transform(messages[message].detail)
      }
      return .lanes(lanes.map { Picture.Lane(transform($0.name)) }, messages: messages)
    case .columns(var columns):
      for column in columns.indices {
        columns[column].title = transform(columns[column].title)
        columns[column].notes = columns[column].notes.map(transform)
        for item in columns[column].items.indices {
          columns[column].items[item].label = transform(columns[column].items[item].label)
          columns[column].items[item].detail = transform(columns[column].items[item].detail)
        }
      }
      return .columns(columns)
    }
  }
}
