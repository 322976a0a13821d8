package io.tokenvault.engine.worker.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Outcome.ErrorThrown;
import io.tokenvault.engine.worker.Sandbox;
import io.tokenvault.engine.worker.compile.BuiltInModules;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests rules of the built-in modules that differ from Node.js. */
final class BuiltInModulesTest {

  private static final Sandbox SANDBOX = new Sandbox(List.of("other-errors"));

  private static Outcome run(String body) {
    return SANDBOX
        .run("module.exports = function () { " + body + " };", (operation, json) -> null)
        .outcome();
  }

  private static String value(String body) {
    return Sandbox.body(run(body));
  }

  private static ErrorThrown thrown(String body) {
    return (ErrorThrown) run(body);
  }

  static Stream<String> names() {
    return BuiltInModules.names(List.of("other-errors")).stream();
  }

  @Test
  void unavailableModulesMatchScript() {
    String script =
        ScriptResources.text(
            BuiltInModules.class, "/io/tokenvault/engine/worker/node/script/unavailable.js");
    Matcher keys = Pattern.compile("(?m)^    '([^']+)': \\[").matcher(script);

    assertThat(keys.results().map(key -> key.group(1)))
        .containsExactlyInAnyOrderElementsOf(BuiltInModules.UNAVAILABLE);
  }

  @ParameterizedTest
  @MethodSource("names")
  void builtInModuleIsLoadedOnce(String name) {
    String code =
        "var made = require('%1$s'); return {body: [made === require('%1$s'), typeof made]};";

    assertThat(value(code.formatted(name))).matches("\\[true,\"(object|function)\"]");
  }

  static Stream<String> otherModules() {
    return Stream.of(
        ("fs fs/promises net tls dns http2 child_process worker_threads cluster vm"
                + " module node:fs deep-equal inspect url-standard timers-promises"
                + " node:vault-errors")
            .split(" "));
  }

  @ParameterizedTest
  @MethodSource("otherModules")
  void otherModuleIsNotFound(String name) {
    String code = "try { require('%s'); } catch (e) { return {body: [e.code]}; }";

    assertThat(value(code.formatted(name))).isEqualTo("[\"MODULE_NOT_FOUND\"]");
  }

  @Test
  void processRevealsNothingAboutMachine() {
    assertThat(value("return {body: require('process')};"))
        .isEqualTo(
            "{\"version\":\"v16.20.2\",\"versions\":{\"node\":\"16.20.2\"},\"title\":\"node\",\"platform\":\"linux\",\"arch\":\"x64\","
                + "\"pid\":1,\"env\":{},\"argv\":[],\"stdout\":{\"fd\":1,\"writable\":true},"
                + "\"stderr\":{\"fd\":2,\"writable\":true}}");
    assertThat(value("return {body: [require('process').cwd()]};")).isEqualTo("[\"/\"]");
  }

  @Test
  void environmentIsNoProxy() {
    assertThat(
            value(
                "var isProxy = require('util').types.isProxy;"
                    + " return {body: [isProxy(require('process').env), isProxy(new Proxy({}, {}))]};"))
        .isEqualTo("[false,true]");
  }

  @Test
  void processAcceptsListenersAndValues() {
    String code =
        """
        'use strict';
        var process = require('process');
        process.env.DEBUG = 1;
        process.exitCode = 1;
        process.on('exit', function () {}).once('SIGTERM', function () {}).setMaxListeners(20);
        process.stderr.isTTY = false;
        return new Promise(function (resolve) {
          var seen = [process.env.DEBUG, process.listenerCount('exit')];
          process.stdout.on('finish', function () {
            seen.push('finish');
            process.stdout.end();
            seen.push(process.stdout.write('late', function (error) { seen.push(error.code); }));
          }).on('error', function (error) {
            resolve({body: seen.concat(error.message)});
          }).end('text');
        });
        """;

    assertThat(value(code))
        .isEqualTo("[\"1\",1,\"finish\",false,\"ERR_STREAM_WRITE_AFTER_END\",\"write after end\"]");
  }

  @Test
  void nextTickRunsCallbackAfterCurrentCode() {
    String code =
        """
        var seen = [];
        return new Promise(function (resolve) {
          require('process').nextTick(function (a, b) {
            seen.push(a + b);
            resolve({body: seen});
          }, 1, 2);
          seen.push('first');
        });
        """;

    assertThat(value(code)).isEqualTo("[\"first\",3]");
  }

  @Test
  void globalsThatPackagesProbeExistOrAreUndefined() {
    assertThat(
            value(
                "return {body: [global === globalThis, typeof setImmediate, typeof queueMicrotask,"
                    + " typeof performance.now(), typeof performance.timeOrigin, typeof Atomics,"
                    + " typeof WebAssembly, typeof window,"
                    + " typeof self, typeof navigator]};"))
        .isEqualTo(
            "[true,\"function\",\"function\",\"number\",\"number\""
                + ",\"undefined\"".repeat(5)
                + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "require('http').request('http://localhost')",
        "require('http').get('http://localhost')",
        "require('https').request('https://localhost')",
        "require('https').get('https://localhost')",
        "require('http').createServer()",
        "new (require('http').ClientRequest)('http://localhost')",
        "new (require('https').Agent)().createConnection({})"
      })
  void networkAccessIsRejectedWithHint(String expression) {
    assertThat(thrown(expression + "; return {};").errors())
        .contains("is not available in a transform: use fetch");
  }

  @Test
  void systemInformationIsFixed() {
    assertThat(
            value(
                "var os = require('os'); return {body: [os.hostname(), os.cpus(), os.totalmem(),"
                    + " os.networkInterfaces(), os.tmpdir(), os.homedir(), os.uptime()]};"))
        .isEqualTo("[\"localhost\",[],0,{},\"/tmp\",\"/\",0]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "assert(secret === 5)",
        "assert.equal(secret, 5)",
        "assert.strictEqual(secret, 5)",
        "assert.deepEqual({a: secret}, {})",
        "assert.match(secret, /x/)",
        "assert.ifError(new Error(secret))",
        "assert.throws(function () { throw new Error(secret); }, /x/)",
        "assert.doesNotThrow(function () { throw new Error(secret); })",
        "assert.notEqual(secret, secret)",
        "return assert.doesNotReject(Promise.reject(new TypeError(secret)))"
      })
  void generatedAssertionMessageIsNotReturned(String statement) {
    String code = "var assert = require('assert'), secret = '4242'; " + statement + "; return {};";

    assertThat(thrown(code).errors()).isEqualTo("{\"error\":[\"Transform failed\"]}");
  }

  @Test
  void customAssertionMessageIsReturned() {
    ErrorThrown threw = thrown("\nrequire('assert')(false, 'amount is required');");

    assertThat(threw.errors()).isEqualTo("{\"error\":[\"amount is required\"]}");
    assertThat(threw.position().line()).isEqualTo(2);
  }

  /** Scripts that replace built-in methods must not receive Java functions. */
  @ParameterizedTest
  @MethodSource("names")
  void replacedPrototypeMethodsReceiveNoHostFunctions(String name) {
    String code =
        """
        var found = [];
        function watch(value) {
          if (value !== null && (typeof value === 'object' || typeof value === 'function')
              && (typeof value.decompress === 'function' || value.name === 'load')) {
            found.push(String(value));
          }
        }
        [Function, Array, Object, String, Map, Promise, Uint8Array].forEach(function (type) {
          Object.getOwnPropertyNames(type.prototype).forEach(function (key) {
            var own = Object.getOwnPropertyDescriptor(type.prototype, key);
            if (key === 'constructor' || !own || typeof own.value !== 'function' || !own.writable) {
              return;
            }
            type.prototype[key] = function () {
              watch(this);
              for (var i = 0; i < arguments.length; i++) {
                watch(arguments[i]);
              }
              return Reflect.apply(own.value, this, arguments);
            };
          });
        });
        var made;
        try {
          made = require('%s');
          if (made.gzipSync) {
            made.gunzipSync(made.gzipSync('x'));
          }
        } catch (e) {
          found.push('');
          found.pop();
        }
        return {body: [found.length]};
        """;

    assertThat(value(code.formatted(name))).isEqualTo("[0]");
  }
}
