internal import CXML

/// An element or attribute of a sheet or of the shared strings.
enum SheetTag: UInt8 {
  case other
  /// `sheetData`, `row`, `c`, `v`, `is`, `f`.
  case cells, row, cell, value, inlineString, formula
  /// `si`, `t`, `rPh`.
  case item, text, phonetic
  case mergedCell
  /// The attributes `r` and `s`; the attribute `t` is ``text``.
  case reference, style
}

/// The tags of the names that a parser has met.
struct SheetTags {
  private var elements: [SheetTag] = []
  private var attributes: [SheetTag] = []

  @inline(__always)
  mutating func element(_ event: cxml_event, _ parser: XMLParser) -> SheetTag {
    let number = Int(event.name)
    if number >= elements.count { extend(to: number, parser) }
    return elements[number]
  }

  @inline(__always)
  mutating func attribute(_ event: cxml_event, _ parser: XMLParser) -> SheetTag {
    let number = Int(event.name)
    if number >= elements.count { extend(to: number, parser) }
    return attributes[number]
  }

  private mutating func extend(to number: Int, _ parser: XMLParser) {
    for number in elements.count...number {
      let name = parser.name(number)
      elements.append(Self.element(WorkbookPackage.localName(name)))
      attributes.append(Self.attribute(name))
    }
  }

  private static func element(_ name: String) -> SheetTag {
    switch name {
    case "sheetData": .cells
    case "row": .row
    case "c": .cell
    case "v": .value
    case "is": .inlineString
    case "f": .formula
    case "si": .item
    case "t": .text
    case "rPh": .phonetic
    case "mergeCell": .mergedCell
    default: .other
    }
  }

  private static func attribute(_ name: String) -> SheetTag {
    switch name {
    case "r": .reference
    case "s": .style
    case "t": .text
    default: .other
    }
  }
}
