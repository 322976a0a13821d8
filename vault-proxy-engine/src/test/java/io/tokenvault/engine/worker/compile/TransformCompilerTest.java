package io.tokenvault.engine.worker.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.engine.Node;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Refused;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.JSScript;

final class TransformCompilerTest {

  @AutoClose private static CompilerThread compiler;

  @BeforeAll
  static void load() {
    compiler = new CompilerThread(List.of("@acme/errors"));
  }

  private static Compiled compiled(String source) {
    return (Compiled) compiler.compile(source, false);
  }

  private static List<Flaw> flaws(String source) {
    return ((Refused) compiler.compile(source, false)).flaws();
  }

  /** Returns one script of every nth snippet that fulfills the condition. */
  private static String batch(int nth, Predicate<String> included) {
    StringBuilder batch = new StringBuilder("module.exports = {\n");
    List<String[]> snippets = CompiledScriptRunner.snippets("snippets.txt");
    for (int i = 0; i < snippets.size(); i += nth) {
      String[] snippet = snippets.get(i);
      if (!included.test(snippet[1])) {
        continue;
      }
      String head = "'" + snippet[0] + "': function (exports, require, module) {\n";
      batch.append(head).append(snippet[1]).append("\n},\n");
    }
    return batch.append("};").toString();
  }

  /** Accepts scripts with generators, whose async functions are compiled differently. */
  private static final Predicate<String> HAS_GENERATOR = snippet -> snippet.contains("*");

  private static Map<String, String> results(String json) throws IOException {
    return new ObjectMapper().readValue(json, new TypeReference<Map<String, String>>() {});
  }

  private static void assertSameResultsAsNode(int nth) throws IOException {
    Map<String, String> here = new HashMap<>(run(batch(nth, HAS_GENERATOR)));
    here.putAll(run(batch(nth, HAS_GENERATOR.negate())));
    Map<String, String> node = results(CompiledScriptRunner.resource("snippets.json"));
    node.keySet().retainAll(here.keySet());

    assertThat(here).hasSizeGreaterThan(290 / nth - 1).isEqualTo(node);
  }

  private static Map<String, String> run(String batch) throws IOException {
    String driver = CompiledScriptRunner.resource("driver.js");
    return results(CompiledScriptRunner.run(compiled(batch).code(), driver, new ArrayList<>()));
  }

  @Test
  void compiledScriptsBehaveAsInNode() throws IOException {
    assertSameResultsAsNode(80);
  }

  @Test
  @Tag("long")
  void allCompiledScriptsBehaveAsInNode() throws IOException {
    assertSameResultsAsNode(1);
  }

  @Test
  void expectedResultsMatchNode(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("snippets.js");
    Files.writeString(
        script,
        "var body = function (exports, require, module) {"
            + batch(1, snippet -> true)
            + "};\n"
            + CompiledScriptRunner.resource("driver.js")
            + "setTimeout(function () { console.log(out); }, 0);");
    assumeTrue(Node.version().isPresent(), Node.MISSING);
    String output = Node.run(Map.of(), "", script.toString());

    assertThat(results(output)).isEqualTo(results(CompiledScriptRunner.resource("snippets.json")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exports.a = {__proto__: () => ({__proto__: b, ...c}), ...d};",
        "exports.a = {...d, __proto__: B.prototype};",
        "exports.r = [RegExp('[\\\\p{C}/]', 'gu'), RegExp('\\\\p{Dash}', 'u'), () => RegExp('.', 'v')];",
        "exports.f = () => import('./x');",
        "import a, * as b from 'c'; export default a; export * from 'd';"
      })
  void moduleMayUseSyntaxThatTransformMayNot(String source) {
    assertThat(flaws(source)).isNotEmpty();
    assertThat(compiler.compile(source, true)).isInstanceOf(Compiled.class);
  }

  @Test
  void importedNamesAreRequired() {
    String source =
        "import 'a'; export { b } from 'b'; import c from 'node:fs'; import('d'); import('a');";

    assertThat(((Compiled) compiler.compile(source, true)).requires())
        .containsExactlyInAnyOrder("a", "b", "node:fs", "d");
  }

  /** In an async function, the position of a statement is that of its first part. */
  @Test
  void statementsKeepLineAndColumn() {
    String code =
        compiled(
                "module.exports = async (r) => { const a = 1;\n"
                    + "  try { throw r; } finally { a; } };")
            .code();
    String[] lines = code.split("\n");
    LineTable table = LineTable.of(code);
    List<String> positions = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].contains("a = 1") || lines[i].contains("throw r")) {
        positions.add(table.source(i + 1) + ":" + table.column(i + 1));
      }
    }

    assertThat(positions).containsExactly("1:39", "2:15");
    assertThat(LineTable.of("a\nb").column(1)).isZero();
  }

  @Tag("long")
  @Test
  void stackTracesHaveSourceLines() {
    String source = CompiledScriptRunner.resource("lines.js");
    String[] lines = source.split("\n");
    for (int i = 0; i < lines.length; i++) {
      lines[i] = lines[i].replace("__LINE__", Integer.toString(i + 1));
    }
    List<String> mismatches = new ArrayList<>();
    String driver =
        "var out = 'waits', m = {exports: {}}; body.call(m.exports, m.exports, null, m);"
            + "m.exports().then(null, function (e) { out = String(e); });";

    String out =
        CompiledScriptRunner.run(compiled(String.join("\n", lines)).code(), driver, mismatches);

    assertThat(out).isEqualTo("0");
    // Rhino reports the first line of a statement, and these are on later lines; a static field
    // (11) is reported at its class.
    assertThat(mismatches)
        .containsExactly(CompiledScriptRunner.resource("lines-off.txt").strip().split("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          module.exports = () => { let a = ; };   | 1:34 | Unexpected token
          import a from 'b';\\nexports.x = a;      | 1:1 | "import" is not possible
          exports.a = 1;\\nexport default 1;       | 2:1 | "export" is not possible
          exports.a = () => import('b');          | 1:19 | "import()" is not possible
          exports.a = import.meta.url;            | 1:13 | "import.meta" is not possible
          exports.a = 1;\\n\\nawait exports.a;      | 3:1 | "await" is outside
          exports.a = o => { with (o) { x; } };   | 1:20 | "with" is not possible
          exports.a = /a/d;                       | 1:13 | The flag "d"
          `exports.a = /(?<=(?:ab|c))x/;`         | 1:13 | Alternatives of several characters
          `exports.a = /(?<=(ab)|c)x/;`           | 1:13 | Alternatives of several characters
          exports.a = /[/;                        | 1:14 | Unterminated regular expression
          exports.a = /a(/;                       | 1:13 | This is not a regular expression
          exports.a = <a/>;                       | 1:13 | This is not JavaScript as Node.js 16
          exports.a = {['a']: 1, __proto__: {}};  | 1:24 | "__proto__:" is not possible
          exports.a = {...b, '__proto__': {}};    | 1:20 | "__proto__:" is not possible
          const module = 1;                       | 1:7  | "module" has already been declared
          const run = async () => 1;              | 1:1  | The code must export a function
          module.exports = class {};              | 1:18 | The export is a class
          class A {}\\nexports.default = A;       | 2:19 | The export is a class
          module.exports = function* () {};       | 1:18 | The export is a generator
          """)
  void invalidSourceIsRejected(String source, String position, String message) {
    Flaw flaw = flaws(source.replace("\\n", "\n")).get(0);

    assertThat(flaw.line() + ":" + flaw.column()).isEqualTo(position);
    assertThat(flaw.message()).startsWith(message).doesNotContain("\n", "unknown:");
  }

  @Test
  void allErrorsAreReportedAtOnce() {
    String source = "exports.a = import('b');\nimport.meta;\nwith (a) {}";

    assertThat(flaws(source)).extracting(Flaw::line).containsExactly(1, 2, 3);
  }

  @Test
  void undefinedNamesAndEvalAreNotRejected() {
    compiled(
        "try { process.cwd(); window.x; new WeakRef({}); } catch (e) { Intl; }"
            + " exports.a = (name) => [(0, eval)('1'), Function('return this')(), require(name)];");
  }

  @Test
  void modulesThatAreNotBuiltInAreReported() {
    String source =
        "require('crypto'); require('node:url'); require('vault-errors'); require('@acme/errors');"
            + "require('./a'); require(`lodash`); exports.a = () => require('./a');";

    assertThat(compiled(source).requires()).containsExactly("./a", "lodash");
  }

  @Tag("long")
  @Test
  void extremelyLongExpressionIsRejected() {
    assertThat(flaws("module.exports = 1" + "+1".repeat(24_000))).isNotEmpty();
  }

  @Tag("long")
  @Test
  void deeplyNestedRegularExpressionIsRejected() {
    assertThat(flaws("exports.a = /" + "(".repeat(20_000) + ")".repeat(20_000) + "/;"))
        .isNotEmpty();
  }

  @Test
  void propertiesNamedLikeObjectMembersCompile() {
    compiled(
        "exports.a = {__proto__: null, constructor: 1, hasOwnProperty: 2};"
            + "exports.b = {constructor: 1, ['__proto__']: 3};"
            + "var toString = 1, valueOf, __proto__, hasOwnProperty; let constructor = toString;");
  }

  @Test
  void moduleWithoutExportCompiles() {
    assertThat(compiler.compile("globalThis.x = 1;", true)).isInstanceOf(Compiled.class);
  }

  @ParameterizedTest
  @ValueSource(strings = "[")
  void deepNestingIsRejected(String opening) {
    assertThat(flaws(opening.repeat(50_000 / opening.length()))).isNotEmpty();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"!function(){", "(", "{", "a=>", "-", "`${", "if(1)"})
  void deepNestingOfAnyKindIsRejected(String opening) {
    deepNestingIsRejected(opening);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "async () => { return |  }|8|Async functions and generators are nested more than 8 deep",
        "function* () { yield |  }|8|Async functions and generators are nested more than 8 deep",
        "class { static a() { return | } }|10|Functions and classes are nested more than 20 deep",
        "{ get a() { return | } }|20|Functions and classes are nested more than 20 deep"
      })
  void tooDeeplyNestedFunctionsAreRejected(
      String open, String close, int maxDepth, String message) {
    String nested = open.repeat(maxDepth + 1) + "1" + close.repeat(maxDepth + 1);

    assertThat(flaws("\nexports.a =\n" + nested + ";"))
        .singleElement()
        .satisfies(
            flaw -> {
              assertThat(flaw.message()).isEqualTo(message);
              assertThat(flaw.line()).isEqualTo(3);
            });
    assertThat(compiler.compile("exports.a = 1;" + "0, function () {}, ".repeat(9) + "0;", false))
        .isInstanceOf(Compiled.class);
  }

  @Tag("long")
  @Test
  void storedHelpersMatchBabel() throws IOException {
    String remade = compiler.remadeHelpers();
    assertThat(remade + "\n")
        .isEqualTo(ScriptResources.text(ScriptResources.class, "helpers.json"));
    Map<String, Map<String, Object>> helpers =
        new ObjectMapper().readValue(remade, new TypeReference<>() {});
    assertThat(helpers).containsKey("regenerator");
    helpers.forEach(
        (name, helper) -> assertThat(helpers.keySet()).containsAll(strings(helper, "needs")));
  }

  private static List<String> strings(Map<String, Object> helper, String field) {
    return new ObjectMapper().convertValue(helper.get(field), new TypeReference<>() {});
  }

  @Test
  void helpersFollowDirectives() {
    String code = compiled("'use strict';\nmodule.exports = ([a, ...b]) => b;").code();

    assertThat(code).startsWith("'use strict'").contains("function vault$toArray");
  }

  @Test
  void helpersDoNotReuseNamesOfSource() {
    String code =
        compiled("const vault$helpers = 1;\nvault$helpers;\nmodule.exports = ([a, ...b]) => b;")
            .code();

    assertThat(code)
        .contains("\nvault$helpers;")
        .doesNotContain("function vault$")
        .contains("function _toArray");
  }

  @Test
  void sourceNamesDoNotShadowGlobalsOfHelpers() {
    String code =
        compiled("const Array = 1, Symbol = 2;\nmodule.exports = ([a, ...b]) => [Array, Symbol];")
            .code();

    assertThat(code).contains("var _Array = 1").contains("_Symbol = 2");
  }

  /** After enough module code, Babel runs as JVM bytecode. */
  @Tag("long")
  @Test
  void codeCompilesEquallyAfterManyModules() {
    List<String> sources =
        List.of(
            batch(80, snippet -> true),
            "import a, { b as c } from 'd'; export default class extends a { e = c; }",
            "const { a, ...b } = c;\nlet d = ;",
            "class A { #a; b() { return this.#c; } }",
            "const a = " + "(".repeat(10_000) + "1" + ")".repeat(10_000));
    try (CompilerThread other = new CompilerThread(List.of())) {
      List<FromWorker> first = compiled(other, sources);
      other.compile("let a = 1;" + " ".repeat(40_000), true);
      assertThat(other.usesBytecode()).isTrue();

      assertThat(compiled(other, sources)).isEqualTo(first);
    }
  }

  /** Rhino silently interprets a script that is too large for a class. */
  @Test
  void babelFitsInOneJvmClass() {
    try (Context context = new ContextFactory().enterContext()) {
      context.setLanguageVersion(Context.VERSION_ES6);
      context.setInterpretedMode(false);
      String babel = ScriptResources.text(TransformCompiler.class, "babel.js");
      JSScript script = (JSScript) context.compileString(babel, "babel", 1, null);
      assertThat(script.getDescriptor().getCode().getClass().getSimpleName())
          .isNotEqualTo("InterpreterData");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n//# lines=1,,2", "\n//# lines=99999999999", "\n//# lines= x"})
  void programWithoutTableHasLinesOfItsSource(String end) {
    LineTable lines = LineTable.of("f()" + end);

    assertThat(lines.source(2)).isEqualTo(2);
    assertThat(lines.column(2)).isZero();
  }

  /** Returns the results for each source, as a transform and as a module. */
  private static List<FromWorker> compiled(CompilerThread compiler, List<String> sources) {
    return sources.stream()
        .flatMap(each -> Stream.of(compiler.compile(each, false), compiler.compile(each, true)))
        .toList();
  }

  /** A compiler on a thread with the stack it needs, as in a compile worker. */
  private static final class CompilerThread implements AutoCloseable {

    private final ExecutorService thread =
        Executors.newSingleThreadExecutor(
            task -> new Thread(null, task, "compiler", TransformCompiler.STACK_BYTES));
    private final TransformCompiler compiler;

    CompilerThread(List<String> errorModules) {
      compiler = on(() -> TransformCompiler.load(errorModules));
    }

    private <T> T on(Callable<T> work) {
      try {
        return thread.submit(work).get();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }

    FromWorker compile(String source, boolean module) {
      return on(() -> compiler.compile(new ToWorker.Compile(source, module, 0)));
    }

    boolean usesBytecode() {
      return compiler.usesBytecode();
    }

    String remadeHelpers() {
      return on(compiler::remadeHelpers);
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
