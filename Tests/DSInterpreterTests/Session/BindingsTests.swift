import DataSources
import DataTables
import Testing

@testable import DSInterpreter

@Suite struct BindingsTests {
  @Test func namesKeepTheirOrder() {
    var names = Bindings()
    for name in ["a", "b", "c"] { names[name] = .value(1) }
    names["a"] = .value(2)
    names.rename("b", to: "z")
    #expect(names.all.map(\.name) == ["a", "z", "c"])
    names["a"] = nil
    #expect(names.all.map(\.name) == ["z", "c"])
    names["c"] = .value(3)
    names["a"] = .value(4)
    #expect(names.all.map(\.name) == ["z", "c", "a"])
    #expect(names["b"] == nil)
  }

  @Test func aSourceIsNamedByItsFirstName() {
    var names = Bindings()
    let source = SimpleSource([])
    names["x"] = .value(1)
    names["b"] = .source(source)
    names["a"] = .source(source)
    #expect(names.name(of: source) == "b")
    names["x"] = .source(source)
    #expect(names.name(of: source) == "x")
    names["x"] = .value(1)
    names.rename("b", to: "c")
    #expect(names.name(of: source) == "c")
    names["c"] = nil
    #expect(names.name(of: source) == "a")
    names["a"] = nil
    #expect(names.name(of: source) == nil)
  }
}
