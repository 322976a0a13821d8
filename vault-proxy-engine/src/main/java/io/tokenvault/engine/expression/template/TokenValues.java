package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.filter.EvaluationLimits;
import io.tokenvault.engine.filter.EvaluationLimits.LimitsSpentException;
import io.tokenvault.engine.filter.ExpressionException;
import io.tokenvault.engine.filter.TextValues;
import io.tokenvault.ports.runtime.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The data of the tokens that one request names. This is the only class of the engine in which
 * token data becomes text. Not thread-safe.
 *
 * <p>Data is decrypted before it arrives here, and is wrapped in {@link SensitiveValue} until an
 * expression inserts it.
 */
public final class TokenValues {

  /**
   * Bytes of UTF-8, including escape sequences, that one request may insert. A small body can name
   * much data, and escaping can multiply its size.
   */
  static final int MAX_INSERTED = 10 * 1024 * 1024;

  /** Bytes of memory that each inserted byte takes until the body is complete. */
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
   * Creates values.
   *
   * @param values JSON in UTF-8 by token id
   * @param memory reserves memory for inserted text
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
   * Returns values that reveal masks in place of data. An expression over a token that has no mask,
   * or to whose mask the filters cannot be applied, becomes a fixed text.
   *
   * @param masks JSON in UTF-8 by token id
   */
  public static TokenValues ofMasks(Map<String, SensitiveValue> masks, WorkMemory memory) {
    return new TokenValues(masks, true, memory, System::nanoTime);
  }

  /**
   * Returns the result of an expression as text: the content of a JSON string, nothing for null,
   * and the JSON of any other value.
   *
   * @throws ValidationException if a filter fails or the limits are exhausted
   */
  public String text(Expression expression) {
    checkTime();
    if (isHidden(expression)) {
      return REDACTED;
    }
    return expression.isPlain()
        ? JsonText.content(open(expression.head()))
        : printed(expression, TextValues::printed);
  }

  /**
   * Returns the result of an expression as JSON.
   *
   * @throws ValidationException if a filter fails or the limits are exhausted
   */
  public String json(Expression expression) {
    checkTime();
    if (isHidden(expression)) {
      return TextValues.json(JsonValue.of(REDACTED));
    }
    return expression.isPlain() ? open(expression.head()) : printed(expression, TextValues::json);
  }

  /** Returns whether the token has no mask to show. */
  private boolean isHidden(Expression expression) {
    return masks && !values.containsKey(expression.head());
  }

  /** Returns the result of an expression with filters. */
  private String printed(Expression expression, Function<JsonValue, String> writing) {
    try {
      EvaluationLimits shared = limits();
      return shared.printed(writing.apply(filtered(expression, shared)));
    } catch (ExpressionException failed) {
      throw ValidationException.of("error", failed.getMessage());
    }
  }

  /**
   * Applies the filters. A filter that fails on a mask, which has another format than the data,
   * yields a fixed text.
   */
  private JsonValue filtered(Expression expression, EvaluationLimits shared) {
    try {
      return expression.filters().orElseThrow().apply(read(expression.head()), shared);
    } catch (LimitsSpentException spent) {
      throw spent;
    } catch (ExpressionException failed) {
      if (masks) {
        return JsonValue.of(REDACTED);
      }
      throw failed;
    }
  }

  /** Requires that the time for the expressions of the request is not used up. */
  private void checkTime() {
    try {
      limits().checkTime();
    } catch (ExpressionException spent) {
      throw ValidationException.of("error", spent.getMessage());
    }
  }

  /** Returns the limits, whose time starts with the first expression. */
  private EvaluationLimits limits() {
    if (limits.isEmpty()) {
      limits = Optional.of(EvaluationLimits.start(nanoTime));
    }
    return limits.get();
  }

  /**
   * Returns parsed data. Only the latest value is cached, because it can be many times larger than
   * its JSON.
   */
  private JsonValue read(String tokenId) {
    if (latest.filter(each -> each.tokenId.equals(tokenId)).isEmpty()) {
      // One parsed value at a time is in memory.
      long needed = MemoryBudget.costOfValues(values.get(tokenId).open());
      memory.reserve(Math.max(0, needed - reading));
      reading = Math.max(needed, reading);
      latest = Optional.of(new ReadValue(tokenId, JsonText.read(open(tokenId))));
    }
    return latest.get().value;
  }

  private String open(String tokenId) {
    return new String(values.get(tokenId).open(), StandardCharsets.UTF_8);
  }

  /**
   * Counts the text that an expression inserts, and reserves memory for it.
   *
   * @throws RefusedException if the request inserts too much
   */
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
