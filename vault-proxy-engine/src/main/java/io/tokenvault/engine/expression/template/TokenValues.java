package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.text.TokenJson;
import io.tokenvault.engine.expression.text.WorkMemory;
import io.tokenvault.engine.filter.ObjectPath;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.LimitsSpentException;
import io.tokenvault.engine.filter.value.TextValues;
import io.tokenvault.ports.usecase.memory.JsonCost;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The data of the tokens that one request names: the one place of the engine where it becomes text.
 * For one request and one thread.
 */
public final class TokenValues {

  /**
   * How much one request may take in, in bytes of UTF-8, as it is written in its place: small
   * bodies can name a lot, and escaping can make several times as much of it.
   */
  static final int MAX_INSERTED = 10 * 1024 * 1024;

  /** How much memory each of these bytes takes until the body is put together. */
  private static final int WORK = 4;

  private static final String REDACTED = "[redacted]";

  private final Map<String, SensitiveValue> values;
  private final boolean masks;
  private final WorkMemory memory;
  private final LongSupplier nanoTime;
  private Optional<EvaluationLimits> limits = Optional.empty();
  private Optional<ReadValue> latest = Optional.empty();
  private long inserted;
  private long reading;

  /**
   * @param values JSON in UTF-8 by token id
   * @param memory is asked for what is written
   */
  public TokenValues(Map<String, SensitiveValue> values, WorkMemory memory) {
    this(values, memory, System::nanoTime);
  }

  TokenValues(Map<String, SensitiveValue> values, WorkMemory memory, LongSupplier nanoTime) {
    this(values, false, memory, nanoTime);
  }

  private TokenValues(
      Map<String, SensitiveValue> values, boolean masks, WorkMemory memory, LongSupplier nanoTime) {
    this.memory = memory;
    this.masks = masks;
    this.values = Map.copyOf(values);
    this.nanoTime = nanoTime;
  }

  /**
   * What stands for the data where it is not to be seen. An expression over a token that has no
   * mask, or over one whose mask the filters do not take, becomes a fixed text.
   *
   * @param masks JSON in UTF-8 by token id
   */
  public static TokenValues ofMasks(Map<String, SensitiveValue> masks, WorkMemory memory) {
    return new TokenValues(masks, true, memory, System::nanoTime);
  }

  /** The content of a JSON string, nothing for null, the JSON of any other value. */
  public String text(Expression expression) {
    checkTime();
    if (isHidden(expression)) {
      return REDACTED;
    }
    return expression.isPlain()
        ? TokenJson.content(open(expression.head()))
        : printed(expression, TextValues::printed);
  }

  /** The value as JSON. */
  public String json(Expression expression) {
    checkTime();
    if (isHidden(expression)) {
      return TextValues.json(JsonValue.of(REDACTED));
    }
    return expression.isPlain() ? open(expression.head()) : printed(expression, TextValues::json);
  }

  private boolean isHidden(Expression expression) {
    return masks && !values.containsKey(expression.head());
  }

  private String printed(Expression expression, Function<JsonValue, String> writing) {
    try {
      EvaluationLimits shared = limits();
      return shared.printed(writing.apply(filtered(expression, shared)));
    } catch (ExpressionException failed) {
      throw ValidationException.of("error", failed.getMessage());
    }
  }

  private JsonValue filtered(Expression expression, EvaluationLimits shared) {
    try {
      return expression.filters().apply(read(expression.head()), TokenValues::noName, shared);
    } catch (LimitsSpentException spent) {
      throw spent;
    } catch (ExpressionException failed) {
      if (masks) {
        return JsonValue.of(REDACTED);
      }
      throw failed;
    }
  }

  private void checkTime() {
    try {
      limits().checkTime();
    } catch (ExpressionException spent) {
      throw ValidationException.of("error", spent.getMessage());
    }
  }

  private static JsonValue noName(ObjectPath path) {
    throw new IllegalStateException("expressions over tokens have no names");
  }

  /** Time runs from the first expression. */
  private EvaluationLimits limits() {
    if (limits.isEmpty()) {
      limits = Optional.of(EvaluationLimits.start(nanoTime));
    }
    return limits.get();
  }

  /** Only the latest value is kept, since it can be many times larger than its JSON. */
  private JsonValue read(String tokenId) {
    if (latest.filter(each -> each.tokenId.equals(tokenId)).isEmpty()) {
      reserveToRead(values.get(tokenId).open());
      latest = Optional.of(new ReadValue(tokenId, TokenJson.read(open(tokenId))));
    }
    return latest.get().value;
  }

  /** One value takes the place of another. */
  private void reserveToRead(byte[] json) {
    long needed = JsonCost.ofValues(json);
    memory.reserve(Math.max(0, needed - reading));
    reading = Math.max(needed, reading);
  }

  private String open(String tokenId) {
    return new String(values.get(tokenId).open(), StandardCharsets.UTF_8);
  }

  /** Notes what an expression became. */
  String written(String text) {
    long size = TextValues.size(text);
    inserted += size;
    if (inserted > MAX_INSERTED) {
      throw new RefusedException(
          FailureCause.BODY_TOO_LARGE, "The data of the named tokens is too large for a request.");
    }
    memory.reserve(WORK * size);
    return text;
  }

  private record ReadValue(String tokenId, JsonValue value) {}
}
