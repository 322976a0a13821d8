package io.tokenvault.engine.worker.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.worker.Sandbox;
import io.tokenvault.engine.worker.compile.PlainScript.Plain;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainScriptTest {

  /** Functions that are called with and without an object. */
  private static final String THIS_SCRIPT =
      """
      'use strict'
      function plain() { return this; }
      var nested = { f: function () { return [this.n, (function () {return this})()]; }, n: 1 };
      var directive = function () { "use strict"; "other"
        return typeof this; };
      var accessor = { get v() { return this.n; }, n: 2 };
      exports.all = [plain(), nested.f(), directive(), plain.call(3), accessor.v, this === exports];
      """;

  private static Optional<Plain> plain(String source) {
    return PlainScript.of(source, (pattern, flags) -> pattern.contains("\\p") ? null : pattern);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "let a = 1;",
        "const a = 1;",
        "var f = () => 1;",
        "class A {}",
        "async function f() {}",
        "function* f() {}",
        "function f(a = 1) {}",
        "function f(...a) {}",
        "function f({a}) {}",
        "var {a} = b;",
        "[a, b] = [b, a];",
        "for (var a of b) {}",
        "var o = {a, b};",
        "var o = {a() {}};",
        "var o = {['a']: 1};",
        "var o = {...a};",
        "f(...a);",
        "`a`",
        "tag`a`",
        "a ?? b",
        "a?.b",
        "a?.()",
        "a ||= b",
        "1n",
        "try {} catch {}",
        "new.target",
        "import a from 'a';",
        "if (a) { function f() {} }",
        "if (a) function f() {}",
        "with (a) {}",
        "var let = 1;",
        "var yield = 1;",
        "010",
        "/\\p{L}/",
        "new RegExp('\\\\p{L}')",
        "'\u200d'",
        "/\u2028/",
        "a\n<!-- b",
        "a /",
        "}"
      })
  void newerOrMisparsedSyntaxIsLeftToBabel(String source) {
    assertThat(plain(source)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "#!/usr/bin/env node\nvar a = 1;",
        "var a = {b: 1, get c() { return 1; }, set c(v) {}, 'd': 2, 3: 4};",
        "a: for (var i = 0, n = 2; i < n; i++) { continue a; }",
        "for (var k in o) if (o.hasOwnProperty(k)) delete o[k];",
        "try { f(); } catch (e) { throw e; } finally { g(); }",
        "switch (a) { case 1: default: break; } do { } while (a); while (b) { }",
        "return typeof void 0 === 'undefined' ? new A : new A(1, 2)[0], !function () {}();",
        "var r = /[/]\\/(a|b)/gi, s = 'a\\\nb', e = 2 ** 3;"
      })
  void ecmaScript5ScriptIsPlain(String source) {
    assertThat(plain(source)).isPresent();
  }

  @Test
  void commentsAreRemovedAndLinesKept() {
    assertThat(plain("/* one\ntwo */ a(); // three\nb();").orElseThrow().code())
        .isEqualTo(" \n a();  \nb();");
  }

  @Test
  void literalModuleNamesAreFound() {
    assertThat(plain("require('a'); f(require(\"b\"), require(c)); require('a');").orElseThrow())
        .extracting(Plain::requires)
        .asString()
        .isEqualTo("[a, b]");
  }

  @Test
  void regularExpressionIsReplacedByAdaptedOne() {
    assertThat(
            PlainScript.of("f(/a\\/b/g, 1)", (pattern, flags) -> "(" + pattern + ")")
                .orElseThrow()
                .code())
        .isEqualTo("f(/(a\\/b)/g, 1)");
  }

  @Test
  void arrayLiteralsMayHaveHoles() {
    String code = plain("var all = [" + "[,'a',[,-1]],".repeat(300) + "];").orElseThrow().code();

    assertThat(
            new Sandbox()
                .evaluate("(function () {" + code + " return [all.length, all[299]]; })()"))
        .isEqualTo("[[300,[null,\"a\",[null,-1]]]]");
  }

  @Test
  void strictFunctionWithoutObjectHasNoThis() {
    String code = plain(THIS_SCRIPT).orElseThrow().code();

    assertThat(
            new Sandbox()
                .evaluate(
                    "(function () { var exports = this; "
                        + code
                        + " return exports.all; }).call({})"))
        .isEqualTo("[[null,[1,null],\"undefined\",3,2,true]]");
  }
}
