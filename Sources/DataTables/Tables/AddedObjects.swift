/// Objects in the order in which they were added. Copies share all blocks but the last one, so that
/// adding to one of them takes no time for the objects before.
struct AddedObjects: RandomAccessCollection, Sendable {
  /// Each has ``blockSize`` objects; the last one may have fewer.
  private var blocks: [[Value]] = []
  private(set) var count = 0

  private static let blockSize = 1_024

  init(_ objects: [Value] = []) { append(objects) }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Value {
    blocks[index / Self.blockSize][index % Self.blockSize]
  }

  /// - Complexity: O(objects), plus the size of a block and the number of blocks for a shared copy.
  mutating func append(_ objects: [Value]) {
    var rest = objects[...]
    while !rest.isEmpty {
      let room = Self.blockSize * blocks.count - count
      if room == 0 {
        blocks.append(Array(rest.prefix(Self.blockSize)))
      } else {
        blocks[blocks.count - 1] += rest.prefix(room)
      }
      let added = Swift.min(rest.count, room == 0 ? Self.blockSize : room)
      count += added
      rest = rest.dropFirst(added)
    }
  }
}
