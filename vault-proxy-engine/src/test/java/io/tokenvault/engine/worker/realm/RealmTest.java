package io.tokenvault.engine.worker.realm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.worker.Sandbox;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RealmTest {

  private final Sandbox sandbox = new Sandbox();

  static Stream<String> rhinoExtensions() {
    return Stream.of(
        ("With Call Script Continuation JavaException InternalError CallSite uneval"
                + " Iterator StopIteration isXMLName __GeneratorFunction Packages java javax org"
                + " com JavaAdapter JavaImporter getClass importPackage XML Array.map"
                + " String.equalsIgnoreCase ''.equals ({}).toSource Math.toSource JSON.toSource"
                + " BigInt.prototype.toSource (function(){}).__parent__")
            .split(" "));
  }

  @ParameterizedTest
  @MethodSource("rhinoExtensions")
  void rhinoExtensionsAreAbsent(String expression) {
    assertThat(sandbox.evaluate("typeof " + expression)).isEqualTo("[\"undefined\"]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eval('1')",
        "(0, eval)('1')",
        "Function('return 1')",
        "new Function('return 1')",
        "(function () {}).constructor('return 1')",
        "Object.getPrototypeOf(function* () {}).constructor('yield 1')",
        "Reflect.construct(Function, ['return 1'])",
        "Function.prototype.constructor.call(null, 'return 1')"
      })
  void codeCannotBeCreatedFromText(String expression) {
    String caught =
        "(function () { try { return typeof "
            + expression
            + "; }"
            + " catch (e) { return e.name; } })()";
    assertThat(sandbox.evaluate(caught)).isEqualTo("[\"EvalError\"]");
  }

  @Test
  void engineErrorsExposeNoJavaObjects() {
    String keys =
        "(function () { try { null.x; } catch (e) { return [Object.getOwnPropertyNames(e),"
            + " Object.keys(e), e instanceof TypeError]; } })()";
    assertThat(sandbox.evaluate(keys)).isEqualTo("[[[\"message\",\"stack\"],[],true]]");
  }

  @Test
  void propertyDescriptorsExposeNoJavaObjects() {
    assertThat(
            sandbox.evaluate(
                "typeof Object.getOwnPropertyDescriptor(globalThis, 'Buffer').value,"
                    + " typeof Reflect.getOwnPropertyDescriptor(Array.prototype,"
                    + " Symbol.unscopables).value,"
                    + " typeof Object.getOwnPropertyDescriptors(Buffer).concat.value,"
                    + " typeof Object.getOwnPropertyDescriptor(new Proxy(Buffer, {"
                    + "get: function () {}}), 'of').value"))
        .isEqualTo("[\"function\",\"object\",\"function\",\"function\"]");
  }

  @Test
  void engineMessagesNameNoJavaClasses() {
    assertThat(
            sandbox.evaluate(
                "(function () { try { (void 0)(); } catch (e) { return e.message; } })(),"
                    + " (function () { try { var a = {}; a.a = a; JSON.stringify(a, null, 1); }"
                    + " catch (e) { return e.message; } })(),"
                    + " (function () { try { var a = []; a[0] = a; JSON.stringify(a); }"
                    + " catch (e) { return e.message; } })()"))
        .doesNotContain("org.mozilla")
        .contains("undefined is not a function", "Cyclic object", "circular structure to JSON");
  }

  @Test
  void changesByInvocationAreInvisibleToNext() {
    sandbox.run(
        "Object.prototype.x = 1; Array.prototype.map = 2; globalThis.y = 3; JSON.stringify = 4;"
            + "Object.getPrototypeOf(new Map().entries()).z = 5; Error.prototype.w = 6;"
            + "Object.getPrototypeOf(''[Symbol.iterator]()).v = 7; Math.max = 8;"
            + "module.exports = function () { return {}; };");
    assertThat(
            sandbox.evaluate(
                "typeof ({}).x, typeof [].map, typeof y, typeof JSON.stringify,"
                    + " typeof new Map().entries().z, typeof new Error().w,"
                    + " typeof ''[Symbol.iterator]().v, typeof Math.max"))
        .isEqualTo(
            "[\"undefined\",\"function\",\"undefined\",\"function\",\"undefined\",\"undefined\","
                + "\"undefined\",\"function\"]");
  }

  @Test
  void asyncHelpersExposeNoJavaObjects() {
    String misused =
        "(function () {"
            + " function failure(f) { try { return typeof f(); } catch (e) { return e.name; } }"
            + " var steps = vault$regenerator().w(function () { return steps.a(2, 7); });"
            + " return [typeof steps.a, typeof steps.f, Object.keys(steps.a(3, 1)),"
            + " failure(function () { return steps.a.call({}, 1); }),"
            + " failure(function () { return vault$asyncToGenerator(1); }),"
            + " failure(function () { return vault$regenerator().w(1); }),"
            + " failure(function () { return steps.x; })]; })()";
    assertThat(sandbox.evaluate(misused))
        .isEqualTo(
            "[[\"function\",\"function\",[],\"InternalError\",\"InternalError\","
                + "\"InternalError\",\"undefined\"]]");
  }

  /** A cycle of prototypes would put Java code into an endless loop. */
  @Test
  void prototypeHelperMakesNoCycleAndChangesNoFrozenObject() {
    String misused =
        "(function () {"
            + " var a = vault$withPrototype(null, {}), b = {}, c = Object.freeze({});"
            + " function failure(f) { try { return typeof f(); } catch (e) { return e.name; } }"
            + " vault$withPrototype(a, b); vault$withPrototype(5, b); vault$withPrototype(a, c);"
            + " return [Object.getPrototypeOf(b) === a, Object.getPrototypeOf(c) === a,"
            + " failure(function () { return vault$withPrototype(b, a); }),"
            + " failure(function () { return vault$withPrototype(a, a); }),"
            + " failure(function () { return vault$withPrototype(a, 1); }),"
            + " failure(function () { return vault$withPrototype(new Proxy({}, {}), {}); }),"
            + " failure(function () { return vault$withPrototype("
            + "Object.create(new Proxy({}, {})), {}); }),"
            + " failure(function () { return vault$withPrototype(b, new Proxy(b, {})); })]; })()";
    assertThat(sandbox.evaluate(misused))
        .isEqualTo(
            "[[true,false,\"TypeError\",\"TypeError\",\"InternalError\","
                + "\"TypeError\",\"TypeError\",\"TypeError\"]]");
  }

  @Test
  void arityHelperRemovesEnginePropertyOnly() {
    String own =
        "(function () {"
            + " function f(a, b) {} function g(a) {}"
            + " var before = vault$withoutArity(f).arity;"
            + " vault$withoutArity(g).arity = 7;"
            + " return [before, vault$withoutArity(g).arity, vault$withoutArity(Map).arity,"
            + " vault$withoutArity(f.bind(null)).arity]; })()";
    assertThat(sandbox.evaluate(own)).isEqualTo("[[null,7,null,null]]");
  }

  @Test
  void correctionsDoNotUseReplacedBuiltIns() {
    assertThat(
            sandbox.evaluate(
                "(function () {"
                    + " Object.setPrototypeOf = Object.defineProperty = Object.getPrototypeOf ="
                    + " Object.getOwnPropertyDescriptor = Object.create = function () { throw 7; };"
                    + " Object.prototype.get = Array.prototype.forEach = function () {};"
                    + " delete Function.prototype.call; delete Function.prototype.toString;"
                    + " Promise.prototype.then = function () { return 'replaced'; };"
                    + " function Kind() {} Kind.prototype.kind = 1;"
                    + " var made = Reflect.construct(Array, [3], Kind);"
                    + " return [Math.log2(8), made.kind, made.length,"
                    + " Reflect.get({ get a() { return this.b; } }, 'a', { b: 5 }),"
                    + " typeof DataView.prototype.getBigInt64,"
                    + " Promise.any([]) === 'replaced',"
                    + " typeof Reflect.getOwnPropertyDescriptor(globalThis, 'Int8Array').value];"
                    + " })()"))
        .isEqualTo("[[3,1,3,5,\"function\",false,\"function\"]]");
  }

  @Test
  void globalReplacedBeforeFirstUseIsNotCorrected() {
    assertThat(
            sandbox.evaluate(
                "(function () { globalThis.Math = {}; delete globalThis.Reflect;"
                    + " return [Math.log2, typeof Reflect]; })()"))
        .isEqualTo("[[null,\"undefined\"]]");
  }

  @Test
  void builtInFunctionsHaveNoArgumentsAndInheritNoArity() {
    assertThat(
            sandbox.evaluate(
                "[Array.from, [].push, Object.keys, setTimeout].map(function (f) {"
                    + " return f.hasOwnProperty('arguments'); }),"
                    + " 'arity' in Function.prototype,"
                    + " (function () { 'use strict'; var o = Object.create(Function.prototype);"
                    + " o.arity = 7; return o.arity; })()"))
        .isEqualTo("[[false,false,false,false],false,7]");
  }

  @Test
  void protoPropertiesBehaveAsInNode() {
    assertThat(
            sandbox.evaluate(
                "({}).__proto__ === Object.prototype, ({__proto__: null}) instanceof Object,"
                    + " Object.keys(JSON.parse('{\"__proto__\": 1}')), (1).__proto__ ==="
                    + " Number.prototype"))
        .isEqualTo("[true,false,[\"__proto__\"],true]");
  }

  @Test
  void customErrorClassHasStackOfItsCreation() {
    String own =
        "(function () { function Own(m) { return Reflect.construct(RangeError, [m], Own); }\n"
            + "Own.prototype = Object.create(RangeError.prototype, {constructor: {value: Own}});\n"
            + "var e = new Own('why');\n"
            + "return [e instanceof Own, e instanceof RangeError, e.message, e.stack.split('\\n"
            + "')[0], /transform:3/.test(e.stack)]; })()";
    assertThat(sandbox.evaluate(own)).isEqualTo("[[true,true,\"why\",\"RangeError: why\",true]]");
  }

  @Test
  void engineRejectionHasPlainMessage() {
    Outcome outcome =
        sandbox.run(
            "module.exports = function () { return Promise.resolve().then(function () { null.x; })"
                + ".catch(function (e) { return {body: e.name + ': ' + e.message}; }); };");
    assertThat(Sandbox.body(outcome)).isEqualTo("TypeError: Cannot read property \"x\" from null");
  }

  @Test
  void causeOfErrorIsPreserved() {
    assertThat(sandbox.evaluate("new Error('a', {cause: 7}).cause, new Error('a', 'b').fileName"))
        .isEqualTo("[7,null]");
  }

  @Test
  void builtInClassesCanBeExtended() {
    String own =
        "(function () { function Own() { return Reflect.construct(Map, [[[1, 2]]], Own); }"
            + "Own.prototype = Object.create(Map.prototype); Own.prototype.two = function () {"
            + " return this.get(1); }; return new Own().two(); })()";
    assertThat(sandbox.evaluate(own)).isEqualTo("[2]");
  }

  @Test
  void engineFaultFailsInvocationOnly() {
    Outcome outcome =
        sandbox.run(
            "module.exports = function () { var e; try { null.x; } catch (x) { e = x; }"
                + " while (true) { Object.setPrototypeOf(e, {}); e.stack; return 1; } };");
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).kind()).isEqualTo(FailureKind.BAD_RESULT);
  }
}
