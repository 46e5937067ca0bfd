import DataSources
import DataTables
import TestSupport
import Testing

/// Edits of the children of multi sources, compared with an array of children.
@Suite struct MultiEditingTests {
  #if DEBUG
    private static let histories = 6
  #else
    private static let histories = 500
  #endif

  @Test(arguments: 0..<4) func theChildrenAreThoseOfAnArray(part: Int) async throws {
    for seed in part * Self.histories..<(part + 1) * Self.histories {
      var history = try await ChildHistory(seed: UInt64(seed), preservesSections: part % 2 == 1)
      for step in 0..<30 {
        try await history.step()
        let broken = try await history.broken()
        #expect(broken == [], "seed \(seed), step \(step), \(history.last)")
        guard broken == [] else { return }
      }
      #expect(history.made > 0)
    }
  }

  @Test func aSourceThatCouldNotFollowAnEditRefusesEdits() async throws {
    let child = SimpleSource([1, 2, 3], name: "a")
    let joined = MultiSource([child])
    try await joined.fetchData()
    let flag = Cancellation()
    try await child.edit(.remove(IndexPath(section: 0, row: 0)), cancellation: flag) { _ in
      flag.cancel()
    }
    #expect(joined.error != nil)
    #expect(joined.numberOfObjects == 3)
    // Its first object is no longer there, and its last index path is beyond the end.
    for row in [0, 2] {
      await #expect(throws: SourceError.self) {
        _ = try await joined.edit(.remove(IndexPath(section: 0, row: row)))
      }
    }
    #expect(child.numberOfObjects == 2)
    try await joined.fetchData()
    try await joined.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(try await child.object(at: IndexPath(section: 0, row: 0)) == 3)
  }

  @Test func aRemovedChildIsNoLongerFollowed() async throws {
    let a = SimpleSource([1], name: "a")
    let b = SimpleSource([2], name: "b")
    let both = MultiSource([a, b, a])
    try await both.fetchData()
    try await both.edit(.remove(section: 0))
    #expect(a.state.wrappers.contains { $0 === both })
    try await both.edit(.remove(section: 1))
    #expect(a.state.wrappers.isEmpty)
    try await a.edit(.insert(3))
    #expect(both.numberOfObjects == 1)
    try await both.undoEdit()
    #expect(both.numberOfObjects == 3)
    #expect(a.state.wrappers.contains { $0 === both })
  }

  @Test func anAddedChildCannotWrapTheSource() async throws {
    let a = SimpleSource([1])
    let inner = MultiSource([a])
    let outer = MultiSource([inner])
    try await outer.fetchData()
    await #expect(throws: SourceError.self) { _ = try await inner.edit(.insert(outer, at: nil)) }
    await #expect(throws: SourceError.self) { _ = try await inner.edit(.insert(inner, at: 0)) }
    #expect(inner.children.count == 1)
    try await outer.edit(.remove(section: 0))
    try await inner.edit(.insert(outer, at: nil))
    await #expect(throws: SourceError.self) { _ = try await outer.undoEdit() }
    #expect(outer.children.isEmpty)
    #expect(inner.numberOfSections == 2)
  }

  @MainActor @Test func anEditDuringAFetchFails() async throws {
    let gated = GatedSource()
    let both = MultiSource([gated, SimpleSource([2])])
    try await both.fetchData()
    try await both.edit(.move(section: 0, to: 1))
    gated.isGated = true
    let fetch = Task { try await both.fetchData() }
    while !gated.isWaiting { await Task.yield() }
    await #expect(throws: SourceError.self) { _ = try await both.edit(.remove(section: 0)) }
    await #expect(throws: SourceError.self) { _ = try await both.undoEdit() }
    gated.open()
    try await fetch.value
    #expect(both.children.count == 2 && both.children[1] === gated)
  }

  @Test func aFailedChildIsListed() async throws {
    let bad = SectionedSource(SimpleSource([["x": 1]]), key: ObjectKeyPath(key: "x"))
    try await bad.fetchData()
    bad.key = ObjectKeyPath(key: "nope")
    await #expect(throws: SourceError.self) { _ = try await bad.fetchData() }
    let both = MultiSource([SimpleSource([1])])
    try await both.fetchData()
    try await both.edit(.insert(bad, at: 0))
    #expect(both.state.snapshot?.failures.map(\.index) == [0])
    #expect(both.numberOfObjects == 2)
    // A source whose children all failed shows their old contents.
    try await both.edit(.remove(section: 1))
    #expect(both.error == nil)
    #expect(both.numberOfObjects == 1)
  }
}

/// A multi source, the sources that can be its children, and the array that it should equal.
private struct ChildHistory {
  private struct State: Equatable {
    var children: [Int]
    var objects: [[Value]]
  }
  private var random: SplitMix64
  private let pool: [any DataSource]
  private let owners: [SimpleSource]
  private let multi: MultiSource
  private let sorted: SectionedSource
  private let root: MultiSource
  private let preservesSections: Bool
  private var state: State
  /// The states before the edits that can be undone, and those after the undone ones.
  private var done: [State] = []
  private var undone: [State] = []
  private(set) var last = ""
  private(set) var made = 0

  init(seed: UInt64, preservesSections: Bool) async throws {
    var random = SplitMix64(seed: seed)
    let key = ObjectKeyPath(key: "k")
    var objects: [[Value]] = []
    for owner in 0..<4 {
      objects.append(
        (0..<random.below(4)).map {
          ["id": .integer(owner * 100 + $0), "k": .integer(random.below(3))]
        })
    }
    owners = objects.enumerated().map { SimpleSource($1, name: "s\($0)") }
    let parts = SectionedSource(owners[0], key: key, mode: .groups, name: "parts")
    let none = SectionedSource(SimpleSource([]), key: key, name: "none")
    for source in [parts, none] { try await source.fetchData() }
    let pool: [any DataSource] = owners + [parts, none]
    self.pool = pool
    let children = [random.below(6), random.below(6), random.below(6)]
    self.random = random
    state = State(children: children, objects: objects)
    let multi = MultiSource(
      children.map { pool[$0] }, preservesSections: preservesSections, name: "multi")
    let sorted = SectionedSource(multi, sort: [SortDescriptor(key)])
    (self.multi, self.sorted) = (multi, sorted)
    root = MultiSource([sorted] + pool)
    self.preservesSections = preservesSections
    try await root.fetchData()
  }

  // MARK: Steps

  mutating func step() async throws {
    let wasReverted = last == "undo" || last == "redo"
    switch random.below(8) {
    case 0: try await undo()
    case 1 where wasReverted: try await redo()
    case 2: try await transaction()
    case 3:
      last = "fetch"
      try await multi.fetchData()
    default:
      let (new, edit) = change(of: state)
      do {
        if let edit {
          try await multi.edit(edit)
        } else {
          try await owners[editedOwner].edit(.insert(newObject))
        }
        #expect(new != nil, "\(last)")
        commit(new ?? state, isChange: new != state)
      } catch {
        #expect(new == nil, "\(last): \(error)")
      }
    }
  }

  /// - Parameter isChange: false for moves to the same place, after which there is nothing to undo.
  private mutating func commit(_ new: State, isChange: Bool) {
    made += 1
    guard isChange else { return }
    done.append(state)
    state = new
    undone = []
  }

  private mutating func undo() async throws {
    last = "undo"
    guard let before = done.popLast() else {
      await #expect(throws: SourceError.self) { _ = try await root.undoEdit() }
      return
    }
    try await root.undoEdit()
    undone.append(state)
    state = before
  }

  private mutating func redo() async throws {
    last = "redo"
    guard let after = undone.popLast() else { return }
    try await root.redoEdit()
    done.append(state)
    state = after
  }

  private mutating func transaction() async throws {
    let transaction = EditTransaction(below: root)
    var new = state
    var steps: [String] = []
    var isChange = false
    for _ in 0..<1 + random.below(4) {
      let (next, edit) = change(of: new)
      steps.append(last)
      do {
        if let edit {
          try await transaction.apply(edit, to: multi)
        } else {
          try await transaction.apply(.insert(newObject), to: owners[editedOwner])
        }
        #expect(next != nil, "\(steps)")
      } catch {
        #expect(next == nil, "\(steps): \(error)")
      }
      isChange = isChange || next ?? new != new
      new = next ?? new
    }
    last = "transaction: " + steps.joined(separator: "; ")
    guard random.below(3) > 0 else {
      transaction.rollback()
      last += "; rollback"
      return
    }
    _ = try await transaction.commit()
    commit(new, isChange: isChange)
  }

  private var editedOwner = 0
  private var newObject = Value.null
  private var nextID = 1_000

  /// A random edit, and the state after it: nil if the edit is refused. Without an edit of children, an
  /// object is inserted.
  private mutating func change(of state: State) -> (state: State?, edit: ChildEdit?) {
    var new = state
    let section = random.below(6) - 1
    let target = random.below(6) - 1
    switch random.below(5) {
    case 0:
      nextID += 1
      editedOwner = random.below(owners.count)
      newObject = ["id": .integer(nextID), "k": .integer(random.below(3))]
      new.objects[editedOwner].append(newObject)
      last = "insert \(newObject) into \(editedOwner)"
      return (new, nil)
    case 1, 2:
      let child = random.below(pool.count)
      last = "insert \(child) at \(section)"
      let place = section < 0 ? state.children.count : place(section, in: state.children, state)
      if let place { new.children.insert(child, at: place) }
      return (place == nil ? nil : new, .insert(pool[child], at: section < 0 ? nil : section))
    case 3:
      last = "remove \(section)"
      let child = child(of: section, in: state)
      if let child { new.children.remove(at: child) }
      return (child == nil ? nil : new, .remove(section: section))
    default:
      last = "move \(section) to \(target)"
      let edit = ChildEdit.move(section: section, to: target)
      guard let child = child(of: section, in: state) else { return (nil, edit) }
      let moved = new.children.remove(at: child)
      guard let place = place(target, in: new.children, state) else { return (nil, edit) }
      new.children.insert(moved, at: place)
      return (new, edit)
    }
  }

  // MARK: The array

  /// The number of sections of a child.
  private func size(of child: Int, in state: State) -> Int {
    guard preservesSections else { return 1 }
    switch child {
    case 4: return Set(state.objects[0].map { ObjectKeyPath(key: "k").evaluate(on: $0) }).count
    case 5: return 0
    default: return 1
    }
  }

  /// The position of the child that has a section and no other.
  private func child(of section: Int, in state: State) -> Int? {
    var start = 0
    for (position, child) in state.children.enumerated() {
      let size = size(of: child, in: state)
      if (start..<start + size).contains(section) { return size == 1 ? position : nil }
      start += size
    }
    return nil
  }

  /// The position of the child that begins with a section, or the end.
  private func place(_ section: Int, in children: [Int], _ state: State) -> Int? {
    var start = 0
    for (position, child) in children.enumerated() {
      let size = size(of: child, in: state)
      if start == section, size > 0 { return position }
      start += size
    }
    return start == section ? children.count : nil
  }

  // MARK: Checks

  func broken() async throws -> [String] {
    var broken: [String] = []
    for (owner, objects) in zip(owners, state.objects) where try await owner.allObjects() != objects
    {
      broken.append("\(owner.name) has other objects than the array")
    }
    let expected = state.children.map { pool[$0] }
    if !multi.children.elementsEqual(expected, by: ===) { broken.append("other children") }
    for source in [multi, sorted, root] as [any DataSource] {
      broken += try await source.brokenInvariants()
    }
    let new = MultiSource(expected, preservesSections: preservesSections)
    try await new.fetchData()
    let (titles, objects) = (try await multi.sectionTitles(), try await multi.allObjects())
    if try await new.sectionTitles() != titles { broken.append("the titles are \(titles)") }
    if try await new.allObjects() != objects { broken.append("the objects are \(objects)") }
    if sorted.numberOfObjects != multi.numberOfObjects { broken.append("the wrapper differs") }
    return broken
  }
}
