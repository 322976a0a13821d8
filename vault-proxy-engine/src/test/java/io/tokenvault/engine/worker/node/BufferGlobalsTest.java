package io.tokenvault.engine.worker.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.engine.Node;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

class BufferGlobalsTest {
  private static final byte[] BYTES = "some bytes".getBytes(StandardCharsets.UTF_8);

  @Test
  void serverBufferIsScriptBuffer() {
    Object result =
        new TestRealm()
            .with(
                realm -> {
                  Object buffer = ByteRealm.of(realm.global).buffer(BYTES);
                  realm.global.put("given", realm.global, buffer);
                  return realm.run("[given instanceof Buffer, given.toString()].join()");
                });

    assertThat(result).hasToString("true,some bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Buffer.from('some bytes')",
        "new TextEncoder().encode('some bytes')",
        "new TextEncoder().encode('some bytes').buffer",
        "new DataView(new TextEncoder().encode('some bytes').buffer)",
        "Buffer.from('xsome bytesx').slice(1, -1)"
      })
  void serverReadsBytesOfBuffersAndViews(String value) {
    TestRealm realm = new TestRealm();

    assertThat(TestRealm.bytes(realm.run(value))).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'some bytes'", "({})", "[1]", "null", "undefined", "5"})
  void otherValuesHaveNoBytesForServer(String value) {
    TestRealm realm = new TestRealm();

    assertThat(TestRealm.bytes(realm.run(value))).isNull();
  }

  @Test
  void failureToDescribeValueIsRealmError() {
    String failsInJava = "({ get constructor() { return require(); } })";
    TestRealm realm = new TestRealm();

    assertThat(realm.run("try { Buffer.from(" + failsInJava + "); } catch (e) { e.code; }"))
        .hasToString("ERR_OPERATION_FAILED");
  }

  @Test
  void serverReceivesCopyOfBytes() {
    TestRealm realm = new TestRealm();
    Object buffer = realm.run("Buffer.from('some bytes')");
    TestRealm.bytes(buffer)[0] = 0;

    assertThat(TestRealm.bytes(buffer)).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "require('crypto').pbkdf2Sync('p', 's', 2000000000, 64, 'sha512')",
        "Buffer.alloc(60000).fill('a').indexOf(Buffer.alloc(30000).fill('a').fill('b', 29999))",
        "for (;;) Buffer.isBuffer(1)",
        "var b = Buffer.alloc(1000000); for (;;) require('crypto').createHash('md5').update(b)",
        "for (;;) Buffer.from({length: 100000})"
      })
  void exceededWorkLimitCannotBeCaughtByScript(String script) {
    TestRealm realm = new TestRealm(new WorkLimit(50_000_000));

    assertThatThrownBy(
            () -> realm.run("try { " + script + " } catch (e) { 'caught' } finally { 'kept' }"))
        .isInstanceOf(LimitReached.class);
  }

  @Test
  void callbacksRunAfterScriptTurn() {
    Object result =
        new TestRealm()
            .with(
                realm -> {
                  realm.run(
                      "var log = []; var crypto = require('crypto');"
                          + "crypto.randomBytes(4, (e, b) => log.push('bytes', e, b.length));"
                          + "crypto.pbkdf2('p', 's', 1, 8, 'sha1', (e, k) => log.push(k.length));"
                          + "crypto.randomInt(5, (e, n) => log.push(n < 5));"
                          + "log.push('turn');");
                  return realm.run("JSON.stringify(log)");
                });

    assertThat(result).hasToString("[\"turn\",\"bytes\",null,4,8,true]");
  }

  @Test
  void javaExceptionBecomesErrorWithoutItsMessage() {
    TestRealm realm =
        new TestRealm(
            () -> {
              throw new IllegalStateException("secret");
            },
            units -> {});

    Object result =
        realm.run(
            "try { require('crypto').randomBytes(8) }"
                + " catch (e) { [e instanceof Error, e.message, e.javaException].join() }");

    assertThat(result).hasToString("true,randomBytes failed,");
  }

  @Test
  void errorThrownByScriptCodePropagates() {
    Object result =
        new TestRealm()
            .run("try { Buffer.from({ valueOf: () => { throw 5 } }) } catch (e) { e + 1 }");

    assertThat(result).isEqualTo(6.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Uint8Array = 5", "ArrayBuffer = 5", "TypeError = Error = 5"})
  void brokenRealmThrowsJavaScriptErrors(String breaking) {
    Object result =
        new TestRealm()
            .run(
                breaking
                    + "; var caught = 0; [() => Buffer.from('a'), () => Buffer.from(5),"
                    + " () => new TextEncoder().encode('a'), () => Buffer.alloc(1)]"
                    + ".forEach(f => { try { f() } catch (e) { caught++ } }); caught > 0");

    assertThat(result).isEqualTo(true);
  }

  @Test
  void excessiveAllocationIsRejected() {
    Object result =
        new TestRealm()
            .run("try { Buffer.alloc(2000000000) } catch (e) { e.name + ': ' + e.message }");

    assertThat(result).hasToString("RangeError: Array buffer allocation failed");
  }

  @Test
  void errorStackHasScriptLine() {
    Object result =
        new TestRealm()
            .run("var line;\n\ntry { Buffer.from(5) } catch (e) { line = e.stack }\nline");

    assertThat(result).asString().contains("script.js:3");
  }

  @Test
  void javaObjectsAreUnreachable() {
    new TestRealm()
        .with(
            realm -> {
              Object all =
                  realm.run(
                      "var c = require('crypto'); var k = Buffer.alloc(32); var caught;try {"
                          + " c.createHash('x') } catch (e) { caught = e }[c, require('buffer'),"
                          + " Buffer, TextEncoder, TextDecoder, atob, caught, new TextDecoder(),"
                          + " c.createHash('md5'), c.createHmac('md5', k),"
                          + " c.createCipheriv('aes-256-gcm', k, k), c.createSign('sha256'),"
                          + " c.createSecretKey(k), Buffer.from('abc'),"
                          + " Buffer.from('a').toJSON()]");
              assertThat(foreignValuesIn(all)).isEmpty();
              return null;
            });
  }

  /** Returns the reachable values that are neither script objects nor primitives. */
  private static Set<Object> foreignValuesIn(Object start) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Object> foreign = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> pending = new ArrayDeque<>();
    pending.add(start);
    while (!pending.isEmpty()) {
      Object value = pending.remove();
      if (!(value instanceof ScriptableObject)) {
        if (!isPrimitive(value)) {
          foreign.add(value);
        }
      } else if (seen.add(value)) {
        ScriptableObject object = (ScriptableObject) value;
        addAll(pending, object);
      }
    }
    assertThat(seen.size()).isGreaterThan(200);
    return foreign;
  }

  private static void addAll(Deque<Object> pending, ScriptableObject object) {
    if (object.getPrototype() != null) {
      pending.add(object.getPrototype());
    }
    for (Object id : object.getAllIds()) {
      Object value = valueOf(object, id);
      if (value != null) {
        pending.add(value);
      }
    }
  }

  /** Returns the value of a property; null if its getter throws, as on a prototype. */
  private static Object valueOf(ScriptableObject object, Object id) {
    try {
      return id instanceof Integer
          ? object.get((Integer) id, object)
          : object.get(id.toString(), object);
    } catch (RhinoException e) {
      return null;
    }
  }

  private static boolean isPrimitive(Object value) {
    return value instanceof CharSequence
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Symbol
        || value == Scriptable.NOT_FOUND
        || Undefined.isUndefined(value);
  }

  @Test
  void detachedBufferIsEmpty() {
    Object result =
        new TestRealm()
            .run(
                "var memory = new ArrayBuffer(8); var b = Buffer.from(memory, 2, 4);"
                    + "if (memory.transfer) memory.transfer(); else b = Buffer.alloc(0);"
                    + "var read; try { b.readUInt8(0) } catch (e) { read = e.code }"
                    + "[b.toString('hex'), b.indexOf(0), read, b.slice(1).toString(),"
                    + " require('crypto').createHash('md5').update(b).digest('hex')].join()");

    assertThat(result)
        .hasToString(",-1,ERR_BUFFER_OUT_OF_BOUNDS,,d41d8cd98f00b204e9800998ecf8427e");
  }

  @Test
  void cryptoOutputIsValidInNode() {
    assumeTrue(Node.version().isPresent(), Node.MISSING);
    String created = new ConformanceScript("crypto-made").evaluateInRhino("made()");

    String checked =
        new ConformanceScript("crypto-made").evaluateInNode("checked(" + created + ")");

    assertThat(checked).isEqualTo("[true,true,true,true,true,true,true]");
  }

  /** Reports an exceeded limit; scripts cannot catch it. */
  private static final class LimitReached extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final class WorkLimit implements LongConsumer {
    private long remaining;

    private WorkLimit(long units) {
      this.remaining = units;
    }

    @Override
    public void accept(long units) {
      remaining -= units;
      if (remaining < 0) {
        throw new LimitReached();
      }
    }
  }
}
