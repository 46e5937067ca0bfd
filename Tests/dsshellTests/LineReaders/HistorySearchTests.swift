import Testing

@testable import dsshell

@Suite struct HistorySearchTests {
  @Test func matchingEntriesAppearNewestFirst() {
    var search = HistorySearch(["print 1", "load a", "print 2", "x; print 3"])
    #expect(search.previous(from: "pri") == "print 2")
    #expect(search.previous(from: "print 2") == "print 1")
    #expect(search.previous(from: "print 1") == nil)
    #expect(search.next(from: "print 1") == "print 2")
    #expect(search.next(from: "print 2") == "pri")
    #expect(search.next(from: "pri") == nil)
  }

  @Test func anEmptyLineMatchesAll() {
    var search = HistorySearch(["a", "b"])
    #expect(search.previous(from: "") == "b")
    #expect(search.previous(from: "b") == "a")
    #expect(search.next(from: "a") == "b")
    #expect(search.next(from: "b") == "")
  }

  @Test func aChangedLineBeginsANewSearch() {
    var search = HistorySearch(["load a", "print 1", "print 2"])
    #expect(search.previous(from: "p") == "print 2")
    #expect(search.previous(from: "l") == "load a")
    #expect(search.next(from: "load a") == "l")
  }

  @Test func entriesAddedLaterAreFound() {
    var search = HistorySearch([])
    #expect(search.previous(from: "") == nil)
    #expect(search.next(from: "") == nil)
    search.entries.append("new")
    #expect(search.previous(from: "") == "new")
  }
}
