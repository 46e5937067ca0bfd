import DataTables

/// Checks the nesting of a binary property list, in which an object may refer to itself, and a few
/// objects can expand to millions of values.
struct BinaryPropertyListCheck {
  private let list: BinaryPropertyList
  private let maxDepth: DepthLimit
  private let cancellation: Cancellation

  /// The maximum number of values, counting an object once for each reference, and texts and data
  /// by their length.
  private static let maxValues = 1 << 24

  private struct Frame {
    var number: Int
    var object: BinaryPropertyList.Object
    var next = 0
    var size: Size

    init(_ number: Int, _ object: BinaryPropertyList.Object) {
      self.number = number
      self.object = object
      // A text or data is copied for each reference to it.
      let hasBytes = (0x4...0x6).contains(object.kind)
      size = Size(depth: 1, values: 1 + (hasBytes ? object.count / 64 : 0))
    }
  }

  private struct Size {
    var depth: Int
    var values: Int
  }

  init(_ list: BinaryPropertyList, limits: ReadLimits, cancellation: Cancellation) {
    self.list = list
    self.cancellation = cancellation
    maxDepth = DepthLimit(limits, supported: PropertyListReader.maxDepth)
  }

  /// - Complexity: O(objects and references), without recursion.
  /// - Throws: ``TableError``.
  func check() throws(TableError) {
    var sizes = [Size?](repeating: nil, count: list.count)
    var isOpen = [Bool](repeating: false, count: list.count)
    var open = [Frame(list.top, try list.object(list.top))]
    isOpen[list.top] = true
    var steps = 0
    while var frame = open.popLast() {
      var child: Int?
      let references = list.references(of: frame.object)
      while child == nil, frame.next < references {
        let number = try list.reference(frame.next, of: frame.object)
        guard let size = sizes[number] else {
          child = number
          continue
        }
        frame.next += 1
        frame.size.depth = max(frame.size.depth, size.depth + 1)
        frame.size.values += size.values
        steps += 1
        if steps & 0xFFF == 0 { try cancellation.check() }
        try check(frame.size)
      }
      guard let child else {
        sizes[frame.number] = frame.size
        isOpen[frame.number] = false
        continue
      }
      if isOpen[child] {
        throw BinaryPropertyList.malformed("object \(child) contains itself")
      }
      isOpen[child] = true
      open.append(frame)
      try check(Size(depth: open.count, values: 1))
      open.append(Frame(child, try list.object(child)))
    }
  }

  private func check(_ size: Size) throws(TableError) {
    guard size.depth <= maxDepth.levels else { throw maxDepth.error(at: nil) }
    guard size.values <= Self.maxValues else {
      throw .limit(
        "the property list has over \(Self.maxValues.grouped) values", setting: "", at: nil)
    }
  }
}
