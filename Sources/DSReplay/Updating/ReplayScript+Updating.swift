import DSInterpreter

extension ReplayScript {
  var stamp: FileStamp {
    var stamp = FileStamp()
    if hasByteOrderMark { stamp.add([0xEF, 0xBB, 0xBF]) }
    stamp.add(source.bytes)
    return stamp
  }

  /// The text of the script after corrections, all other bytes as they are.
  ///
  /// New lines end as the line before them does, or the first of the script.
  func text(after edits: [Correction.Edit]) -> String {
    var bytes: [UInt8] = hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    var next = 1
    for edit in edits.sorted(by: Correction.Edit.precede) {
      bytes += raw(next..<max(next, edit.lines.lowerBound))
      for line in edit.replacement {
        if let last = bytes.last, last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r"),
          edit.lines.lowerBound > 1
        {
          bytes += lineEnd
        }
        bytes += Array(line.utf8) + lineEnd
      }
      next = max(next, edit.lines.upperBound)
    }
    bytes += raw(next..<max(next, source.numberOfLines + 1))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lines with their ends.
  private func raw(_ lines: Range<Int>) -> ArraySlice<UInt8> {
    guard let first = lines.first else { return [] }
    let start = source.line(first).lowerBound
    let end =
      lines.upperBound <= source.numberOfLines
      ? source.line(lines.upperBound).lowerBound : source.bytes.count
    return source.bytes[min(start, end)..<end]
  }

  private var lineEnd: [UInt8] {
    let end = source.line(1).upperBound
    let rest = source.bytes[min(end, source.bytes.count)...]
    if rest.starts(with: "\r\n".utf8) { return Array("\r\n".utf8) }
    return rest.first == UInt8(ascii: "\r") ? [UInt8(ascii: "\r")] : [UInt8(ascii: "\n")]
  }
}

extension Correction.Edit {
  /// What is inserted before a line comes before what stands for that line.
  fileprivate static func precede(_ left: Self, _ right: Self) -> Bool {
    (left.lines.lowerBound, left.lines.count) < (right.lines.lowerBound, right.lines.count)
  }
}

extension FileStamp {
  mutating func add(_ bytes: [UInt8]) {
    size += bytes.count
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
