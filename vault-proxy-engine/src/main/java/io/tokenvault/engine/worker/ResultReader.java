package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.engine.worker.node.NodeSurface.ThrownError;
import io.tokenvault.engine.worker.node.script.Unicode;
import io.tokenvault.engine.worker.realm.JsonWriter;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.ScriptContext;
import io.tokenvault.engine.worker.realm.UsageMeter;
import io.tokenvault.engine.worker.realm.UsageMeter.LimitExceeded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/**
 * Converter of the values that a script returned into an outcome. Reading them may run getters and
 * {@code toJSON} methods of the script, which can throw and are subject to the limits.
 */
final class ResultReader {

  private static final int MIN_STATUS = 200;
  private static final int MAX_STATUS = 599;

  private static final Outcome BAD = new Outcome.Failed(FailureKind.BAD_RESULT, Position.UNKNOWN);

  private final ScriptContext cx;
  private final Realm realm;
  private final UsageMeter meter;

  /** The reason why the last value cannot be sent. */
  private Optional<Thrown> problem = Optional.empty();

  ResultReader(ScriptContext cx, Realm realm, UsageMeter meter) {
    this.cx = cx;
    this.realm = realm;
    this.meter = meter;
  }

  private record Body(BodyKind kind, byte[] bytes) {}

  /** The value cannot be sent. */
  private static final class Unsendable extends Exception {
    private static final long serialVersionUID = 1L;

    Unsendable(String why) {
      super(why, null, false, false);
    }
  }

  /** Returns the reason why the last value cannot be sent; empty if it can. */
  Optional<Thrown> problem() {
    return problem;
  }

  private Outcome bad(Exception why) {
    String message = why instanceof RhinoException thrown ? thrown.details() : why.getMessage();
    problem = Optional.of(new Thrown("", message));
    return BAD;
  }

  /**
   * Returns the outcome for a value that the function returned; reading it may run code of the
   * script.
   *
   * @throws LimitExceeded if the body or the headers are larger than allowed
   */
  Outcome returned(Object value) {
    if (!"object".equals(ScriptRuntime.typeof(value))
        || !(value instanceof Scriptable object)
        || value instanceof NativeArray) {
      return bad(new Unsendable("The result must be an object."));
    }
    try {
      Body body = body(ScriptableObject.getProperty(object, "body"));
      Optional<String> headers = headers(ScriptableObject.getProperty(object, "headers"));
      return new Outcome.Returned(body.kind(), body.bytes(), headers);
    } catch (RhinoException | Unsendable e) {
      return bad(e);
    }
  }

  /**
   * Returns the outcome for a {@code CustomHttpResponseError}.
   *
   * @throws LimitExceeded if the body or the headers are larger than allowed
   */
  Outcome thrownResponse(ThrownError.HttpResponse response) {
    if (response.status() < MIN_STATUS || response.status() > MAX_STATUS) {
      return bad(new Unsendable("The status must be from 200 to 599."));
    }
    try {
      Body body = body(response.body());
      BodyKind kind = body.kind() == BodyKind.ABSENT ? BodyKind.NONE : body.kind();
      String headers =
          headers(response.headers()).filter(text -> !text.equals("null")).orElse("{}");
      return new Outcome.ResponseThrown(response.status(), headers, kind, body.bytes());
    } catch (RhinoException | Unsendable e) {
      return bad(e);
    }
  }

  /** Returns whether a property is missing or undefined. */
  private static boolean isAbsent(Object value) {
    return value == Scriptable.NOT_FOUND || Undefined.isUndefined(value);
  }

  /** Converts a body: a string, an object with bytes, null for none, or any other value as JSON. */
  private Body body(Object value) throws Unsendable {
    if (isAbsent(value)) {
      return new Body(BodyKind.ABSENT, new byte[0]);
    }
    if (value == null) {
      return new Body(BodyKind.NONE, new byte[0]);
    }
    if (value instanceof CharSequence text) {
      return new Body(BodyKind.TEXT, utf8(text));
    }
    byte[] bytes = realm.surface().bytes(value);
    if (bytes != null) {
      return new Body(BodyKind.BINARY, bounded(bytes));
    }
    return new Body(BodyKind.JSON, utf8(json(value)));
  }

  private String json(Object value) throws Unsendable {
    String json = JsonWriter.write(cx, realm.global(), value, this::bounded);
    if (json == null) {
      throw new Unsendable("The body cannot be written as JSON.");
    }
    return json;
  }

  /** Encodes a string, checking the limit before and after it. */
  private byte[] utf8(CharSequence text) {
    bounded(text.length());
    return bounded(Unicode.withoutLoneSurrogates(text.toString()).getBytes(StandardCharsets.UTF_8));
  }

  private byte[] bounded(byte[] bytes) {
    bounded(bytes.length);
    return bytes;
  }

  /**
   * Checks a length against the limit of the invocation.
   *
   * @throws LimitExceeded if it is larger
   */
  private void bounded(long length) {
    if (length > meter.limits().maxOutput()) {
      throw new LimitExceeded(FailureKind.OUTPUT_SIZE);
    }
  }

  /** Converts headers to JSON; empty if they are missing. */
  private Optional<String> headers(Object value) throws Unsendable {
    if (isAbsent(value)) {
      return Optional.empty();
    }
    if (value == null) {
      return Optional.of("null");
    }
    if (!(value instanceof Scriptable object) || isIterable(object)) {
      throw new Unsendable("The headers must be an object.");
    }
    return Optional.of(headers(object));
  }

  /**
   * Returns whether an object keeps its entries elsewhere than in properties, as maps, arrays and
   * functions do.
   */
  private static boolean isIterable(Scriptable object) {
    return ScriptRuntime.typeof(object).equals("function")
        || !isAbsent(ScriptableObject.getProperty(object, SymbolKey.ITERATOR));
  }

  private String headers(Scriptable object) throws Unsendable {
    StringJoiner json = new StringJoiner(",", "{", "}");
    long length = 0;
    for (Object id : object.getIds()) {
      String text = header(JsonWriter.property(object, id));
      if (text != null) {
        length += id.toString().length() + text.length() + 1L;
        bounded(length);
        json.add(JsonWriter.quote(id.toString()) + ":" + text);
      }
    }
    return json.toString();
  }

  /** Returns the JSON of a header's value; null if the header is omitted. */
  private String header(Object value) throws Unsendable {
    if (value == null || isAbsent(value)) {
      return null;
    }
    if (value instanceof NativeArray list) {
      return list.getLength() == 0 ? null : JsonWriter.list(values(list));
    }
    return JsonWriter.quote(text(value));
  }

  private List<String> values(NativeArray list) throws Unsendable {
    List<String> values = new ArrayList<>();
    long length = 0;
    for (int i = 0; i < list.getLength(); i++) {
      String text = text(ScriptableObject.getProperty(list, i));
      length += text.length() + 1L;
      bounded(length);
      values.add(text);
    }
    return values;
  }

  /** Returns a string, number or boolean as a string. */
  private String text(Object value) throws Unsendable {
    if (value instanceof CharSequence text) {
      bounded(text.length());
      return text.toString();
    }
    if (value instanceof Number || value instanceof Boolean) {
      return ScriptRuntime.toString(value);
    }
    throw new Unsendable("A header must be a string, a number, a boolean or a list of these.");
  }
}
