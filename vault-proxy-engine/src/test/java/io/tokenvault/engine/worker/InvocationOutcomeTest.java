package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvocationOutcomeTest {

  private final Sandbox sandbox = new Sandbox();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|ABSENT|''",
        "{body: undefined}|ABSENT|''",
        "{body: null}|NONE|''",
        "{body: ''}|TEXT|''",
        "{body: 'a\\u20ac'}|TEXT|a\u20ac",
        "{body: '\\ud800'}|TEXT|\ufffd",
        "{body: {b: 1, a: [null, undefined]}}|JSON|{\"b\":1,\"a\":[null,null]}",
        "{body: 5}|JSON|5",
        "{body: false}|JSON|false",
        "{body: new Uint8Array([65, 66, 67]).subarray(1)}|BINARY|BC",
        "Object.create({body: 'inherited'})|TEXT|inherited",
      })
  void bodyKindFollowsReturnedValue(String returned, BodyKind kind, String body) {
    assertThat(run("return " + returned))
        .usingRecursiveComparison()
        .isEqualTo(
            new Outcome.Returned(kind, body.getBytes(StandardCharsets.UTF_8), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null|null",
        "{}|{}",
        "{a: 'x', B: 1.5, c: true}|{\"a\":\"x\",\"B\":\"1.5\",\"c\":\"true\"}",
        "{a: null, b: undefined, c: []}|{}",
        "{'set-cookie': ['a', 2]}|{\"set-cookie\":[\"a\",\"2\"]}",
        "{2: '\"\\n'}|{\"2\":\"\\\"\\n\"}",
      })
  void headersAreStringsOrListsOfStrings(String headers, String json) {
    assertThat(run("return {headers: " + headers + "}"))
        .extracting(outcome -> ((Outcome.Returned) outcome).headers())
        .isEqualTo(Optional.of(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "undefined",
        "null",
        "'text'",
        "5",
        "[1]",
        "function () {}",
        "Symbol()",
        "{body: function () {}}",
        "{body: Symbol()}",
        "{body: 10n}",
        "(function () { var a = {}; a.a = a; return {body: a}; })()",
        "{get body() { throw new Error('mine'); }}",
        "{headers: 'a: b'}",
        "{headers: [['a', 'b']]}",
        "{headers: new Map([['a', 'b']])}",
        "{headers: function () {}}",
        "{headers: {a: {}}}",
        "{headers: {a: [null]}}",
        "{headers: {a: [['x']]}}",
        "{headers: {a: Symbol()}}"
      })
  void invalidResultIsReported(String returned) {
    assertThat(run("return " + returned))
        .isEqualTo(new Outcome.Failed(FailureKind.BAD_RESULT, Position.UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null.secret",
        "throw new TypeError('secret')",
        "throw new SyntaxError('secret')",
        "throw new RangeError('secret')",
        "throw new ReferenceError('secret')",
        "throw new URIError('secret')",
        "throw new EvalError('secret')",
        "throw Object.create(TypeError.prototype, {message: {value: 'secret'}})",
        "JSON.parse('{secret')",
        "return Promise.reject(new TypeError('secret'))",
        "return Promise.resolve().then(function () { null.secret; })",
        "return new Promise(function () { null.secret; })",
        "later(function () { null.secret; }, 0); return new Promise(say)",
        "eval('secret')",
        "new Array(-1)",
        "secret()",
        "decodeURIComponent('%secret')",
        "'secret'.repeat(-1)",
        "BigInt('secret')"
      })
  void engineErrorIsReportedByLineOnly(String statement) {
    assertThat(run("\n" + statement))
        .isEqualTo(new Outcome.Failed(FailureKind.ENGINE_ERROR, new Position("", 2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null.secret|TypeError|Cannot read property \"secret\" from null",
        "throw new RangeError('text')|RangeError|text",
        "throw 'text'|``|text",
        "throw {get name() { throw 1; }}|null|null",
        "return 1|``|The result must be an object.",
        "return {headers: [1]}|``|The headers must be an object.",
        "return {headers: {a: {}}}"
            + "|``|A header must be a string, a number, a boolean or a list of these.",
        "return {body: Symbol()}|``|The body cannot be written as JSON.",
        "return {}|null|null",
      })
  void thrownValueIsReportedBesideOutcome(String statement, String name, String message) {
    String code = "module.exports = function () {" + statement + "}";

    assertThat(sandbox.run(code, Sandbox.LIMITS).thrown())
        .isEqualTo(name.equals("null") ? Optional.empty() : Optional.of(new Thrown(name, message)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "new Error('no card')|500|no card",
        "\"a text\"|500|a text",
        "Object.assign(new Error('gone'), {status: 404})|404|gone",
        "Object.assign(new Error('a'), {status: 399})|500|a",
        "Object.assign(new Error('a'), {status: 600})|500|a",
        "Object.assign(new Error('a'), {status: 404.5})|500|a",
        "Object.assign(new Error('a'), {status: '404'})|500|a",
        "new Error('')|500|Transform failed",
        "Object.assign(new Error('a'), {message: {}})|500|Transform failed",
        "{status: 422, message: 'x'}|422|Transform failed",
        "5|500|Transform failed",
        "null|500|Transform failed",
        "undefined|500|Transform failed",
        "Symbol('x')|500|Transform failed",
        "[1]|500|Transform failed",
        "function () {}|500|Transform failed",
        "{get status() { throw 1; }}|500|Transform failed",
        "new Proxy(new Error('p'), {get: function () { throw 1; }})|500|Transform failed",
        "new Proxy({}, {getPrototypeOf: function () { throw 1; }})|500|Transform failed",
      })
  void thrownErrorIsReported(String thrown, int status, String text) {
    assertThat(run("\n\nthrow " + thrown))
        .isEqualTo(
            new Outcome.ErrorThrown(status, "{\"error\":[\"" + text + "\"]}", new Position("", 3)));
  }

  @Test
  void customErrorClassIsReportedWithItsCreationLine() {
    String own =
        "function Own(m) { return Reflect.construct(Error, [m], Own); }"
            + "Own.prototype = Object.create(Error.prototype, {constructor: {value: Own}});";
    assertThat(run(own + "\n\nreturn Promise.reject(new Own('mine'))"))
        .isEqualTo(new Outcome.ErrorThrown(500, "{\"error\":[\"mine\"]}", new Position("", 3)));
  }

  @Test
  void oldStyleCustomErrorIsReportedWithItsCreationLine() {
    String own =
        "function Own(m) { this.message = m; this.status = 409; Error.captureStackTrace(this); }"
            + "Own.prototype = Object.create(Error.prototype, {constructor: {value: Own}});";
    assertThat(run(own + "\n\nthrow new Own('old')"))
        .isEqualTo(new Outcome.ErrorThrown(409, "{\"error\":[\"old\"]}", new Position("", 3)));
  }

  @Test
  void longErrorMessagesAreTruncated() {
    Outcome.ErrorThrown threw = (Outcome.ErrorThrown) run("throw new Error('x'.repeat(100000))");
    assertThat(threw.errors()).hasSizeLessThan(10_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "JSON|{\"a\":[1]}|{\"a\":[1]}",
        "JSON|\"text\"|\"text\"",
        "TEXT|text|\"text\"",
        "NONE|''|null",
        "ABSENT|''|undefined",
        "BINARY|AB|{\"0\":65,\"1\":66}",
      })
  void functionReceivesBodyOfItsKind(BodyKind kind, String body, String json) {
    Outcome outcome =
        sandbox.runWithBody(
            kind,
            body,
            "module.exports = function (req) {"
                + " return {body: String(JSON.stringify(Object.assign(req.args.body instanceof"
                + " Uint8Array ? {} : {v: req.args.body}, req.args.body instanceof Uint8Array"
                + " ? [].slice.call(req.args.body) : {})))}; };");
    String expected =
        json.equals("undefined") ? "{}" : kind == BodyKind.BINARY ? json : "{\"v\":" + json + "}";
    assertThat(Sandbox.body(outcome)).isEqualTo(expected);
  }

  @Test
  void functionReceivesArgumentsAndConfigurationWithoutClient() {
    assertThat(
            Sandbox.body(run("return {body: [req.args.method, req.configuration, 'bt' in req]}")))
        .isEqualTo("[\"POST\",{\"k\":\"v\"},false]");
  }

  private Outcome run(String body) {
    return sandbox.run("module.exports = function (req) { " + body + " };");
  }
}
