package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.engine.TestSize;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.worker.realm.ScriptContext;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.UsageMeter;
import io.tokenvault.engine.worker.realm.UsageMeter.LimitExceeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

  private static final long NO_LIMIT = 1L << 50;
  private static final Limits INSTRUCTIONS =
      new Limits(60_000, 60_000, 1_000_000, NO_LIMIT, 1 << 20, 3);
  private static final Limits CPU = new Limits(100, 60_000, NO_LIMIT, NO_LIMIT, 1 << 20, 3);
  private static final Limits WALL = new Limits(60_000, 100, NO_LIMIT, NO_LIMIT, 1 << 20, 3);
  private static final Limits ALLOCATION =
      new Limits(60_000, 60_000, NO_LIMIT, 16 << 20, 1 << 20, 3);
  private static final Limits OUTPUT = new Limits(60_000, 60_000, NO_LIMIT, NO_LIMIT, 1000, 3);

  private static final String LOOP = "while (true) { n++; }";

  private final Sandbox sandbox = new Sandbox();

  static Stream<String> endlessScripts() {
    return TestSize.sample(
        2,
        List.of(
            "LOOP",
            "for (;;) { try { LOOP } catch (e) {} finally { LOOP } }",
            "try { LOOP } finally { say('finally'); return {}; }",
            "function f() { return Promise.resolve().then(f); } return f();",
            "function f() { soon(f); } f(); return new Promise(function () {});",
            "return Promise.resolve().then(function () { LOOP });",
            "return {get body() { LOOP }};",
            "return {body: {toJSON: function () { LOOP }}};",
            "return {headers: {get b() { LOOP }}};",
            "return {get then() { LOOP }};",
            "return {then: function () { LOOP }};",
            "throw {get status() { LOOP }};",
            "var e = new Error(); Object.defineProperty(e, 'message', {get: function () { LOOP }});"
                + " throw e;",
            "throw new Proxy({}, {get: function () { LOOP }, getPrototypeOf: function () { LOOP }});",
            "return Promise.reject({get status() { LOOP }});",
            "return new Proxy({}, {get: function () { LOOP }, has: function () { LOOP }});",
            "'' + {toString: function () { LOOP }};",
            "[2, 1].sort(function () { LOOP });",
            "'x'.replace(/x/, function () { LOOP });",
            "JSON.parse('[1]', function () { LOOP });",
            "new Map([[1, 2]]).forEach(function () { LOOP });",
            "Array.from({length: 1e9}, function () { n++; });",
            "Object.defineProperty(Object.prototype, 'body', {get: function () { LOOP }}); return {};",
            "var a = {}; a[Symbol.iterator] = function () { return {next: function () { n++;"
                + " return {done: false}; }, return: function () { LOOP }}; }; return Promise.all(a);",
            "Object.prototype.toJSON = function () { LOOP }; return {body: {}};",
            "Object.defineProperty(Promise.prototype, 'constructor', {get: function () { LOOP }});"
                + " return Promise.resolve({});",
            "/(a+)+$/.test(new Array(40).join('a') + 'b');"));
  }

  @ParameterizedTest
  @MethodSource("endlessScripts")
  void endlessScriptIsStopped(String body) {
    Finished finished = run(body, INSTRUCTIONS);
    assertThat(finished.outcome()).isEqualTo(failed(FailureKind.INSTRUCTIONS));
    assertThat(finished.console()).isEmpty();
  }

  @Test
  void topLevelLoopIsStopped() {
    assertThat(sandbox.run("var n = 0; " + LOOP, INSTRUCTIONS).outcome())
        .isEqualTo(failed(FailureKind.INSTRUCTIONS));
  }

  @Test
  void cpuTimeIsLimited() {
    assertThat(run("LOOP", CPU).outcome()).isEqualTo(failed(FailureKind.CPU_TIME));
  }

  @Test
  void wallTimeIsLimited() {
    assertThat(run("LOOP", WALL).outcome()).isEqualTo(failed(FailureKind.WALL_TIME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "function f() { later(f, 0); } f(); return new Promise(say);",
        "later(say, 1e6); return new Promise(say);",
        "ask('fetch', '{}', say); return new Promise(say);"
      })
  void waitingCountsTowardWallTime(String body) {
    assertThat(run(body, WALL).outcome()).isEqualTo(failed(FailureKind.WALL_TIME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "var a = []; while (true) { a.push({}); }",
        "while (true) { new Uint8Array(1 << 20); }",
        "while (true) { 'x'.repeat(1 << 20); }",
        "var a = 'x'; while (true) { a = (a + 'y').slice(0); a += a.length < 1e5 ? a : ''; }",
        "function f(x) { return Promise.resolve(new Array(1000).fill(x)).then(f); } return f(1);"
      })
  void allocationIsLimited(String body) {
    assertThat(run(body, ALLOCATION).outcome()).isEqualTo(failed(FailureKind.ALLOCATION));
  }

  /** Returns 64 MiB of zeros, compressed to 64 KB. */
  private static String zipBomb() {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      for (int i = 0; i < 64; i++) {
        gzip.write(new byte[1 << 20]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bomb.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zlib.gunzipSync(bomb)",
        "zlib.unzipSync(bomb)",
        "zlib.inflateRawSync(bomb.slice(10))",
        "zlib.gunzipSync(bomb, {maxOutputLength: 1e15, finishFlush: 2})",
        "zlib.gunzip(bomb, say); return new Promise(say)",
        "zlib.createGunzip().on('data', say).end(bomb); return new Promise(say)"
      })
  void decompressionIsLimited(String statement) {
    String body =
        "var zlib = require('zlib'), bomb = Buffer.from('"
            + zipBomb()
            + "', 'base64'); try { "
            + statement
            + "; } catch (e) {} return {};";

    assertThat(run(body, ALLOCATION).outcome()).isEqualTo(failed(FailureKind.ALLOCATION));
    assertThat(run(body, INSTRUCTIONS).outcome()).isEqualTo(failed(FailureKind.INSTRUCTIONS));
  }

  @Test
  void decompressionBeyondMaxOutputLengthThrows() {
    String body =
        "var zlib = require('zlib'); try { zlib.gunzipSync(Buffer.from('"
            + zipBomb()
            + "', 'base64'), {maxOutputLength: 1000}); } catch (e) { return {body: [e.code]}; }";

    assertThat(Sandbox.body(run(body, Sandbox.LIMITS).outcome()))
        .isEqualTo("[\"ERR_BUFFER_TOO_LARGE\"]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "var data = Buffer.alloc(1 << 20); while (true) { zlib.gzipSync(data, {level: 9}); }",
        "var data = Buffer.alloc(1 << 20); while (true) { zlib.crc32(data, 1); }",
        "var data = zlib.gzipSync(''); while (true) { zlib.gunzipSync(data); }"
      })
  void compressionCountsTowardInstructionLimit(String loop) {
    Outcome outcome = run("var zlib = require('zlib'); " + loop, INSTRUCTIONS).outcome();

    assertThat(outcome).isEqualTo(failed(FailureKind.INSTRUCTIONS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "function f() { return f() + 1; } f();",
        "function f() { try { f(); } finally { f(); } } try { f(); } catch (e) { return {}; }",
        "function f() { return [1].map(f); } try { f(); } catch (e) { return {}; }",
        "var o = {toString: function () { return '' + o; }}; try { '' + o; } catch (e) { return {};"
            + " }",
        "var a = []; for (n = 0; n < 1e5; n++) { a = [a]; } return {body: a};",
        "var p = {}; for (n = 0; n < 1e5; n++) { p = new Proxy(p, {}); } return p;"
      })
  void recursionIsLimited(String body) {
    assertThat(run(body, Sandbox.LIMITS).outcome()).isEqualTo(failed(FailureKind.STACK));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return {body: 'x'.repeat(1001)};",
        "return {body: '\\u20ac'.repeat(334)};",
        "return {body: ['x'.repeat(999)]};",
        "return {body: new Array(1e8)};",
        "return {body: new Uint8Array(1001)};",
        "return {headers: {a: 'x'.repeat(1001)}};",
        "return {headers: {a: ['x'.repeat(600), 'x'.repeat(600)]}};"
      })
  void outputIsLimited(String body) {
    assertThat(run(body, OUTPUT).outcome()).isEqualTo(failed(FailureKind.OUTPUT_SIZE));
  }

  @Test
  void outputAtTheLimitPasses() {
    assertThat(run("return {body: ['x'.repeat(996)]};", OUTPUT).outcome())
        .isInstanceOf(Outcome.Returned.class);
  }

  @Test
  void hostWorkCountsTowardLimit() {
    UsageMeter meter = new UsageMeter(INSTRUCTIONS);
    ScriptContext context = new ScriptContext(new ScriptContextFactory(), meter);
    context.spend(500_000);
    assertThat(catchThrowable(() -> context.spend(NO_LIMIT))).isInstanceOf(LimitExceeded.class);
  }

  private Finished run(String body, Limits limits) {
    String code = "var n = 0; module.exports = function () { " + body + " };";
    return sandbox.run(code.replace("LOOP", LOOP), limits);
  }

  private static Outcome failed(FailureKind kind) {
    return new Outcome.Failed(kind, Position.UNKNOWN);
  }
}
