package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.memory.SmallJsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An immutable builder of token drafts: each method returns a copy with one more property. */
public final class Draft implements Cloneable {

  private final String type;
  private final JsonValue data;
  private String id;
  private List<String> containers;
  private Map<String, String> metadata;
  private Instant expiresAt;
  private JsonValue mask;
  private List<String> indexes;
  private String fingerprint;
  private Boolean deduplicate;

  private Draft(String type, JsonValue data) {
    this.type = type;
    this.data = data;
  }

  /** Returns a draft of the type {@code token}. */
  public static Draft of(String text) {
    return new Draft("token", JsonValue.of(text));
  }

  public static Draft ofJson(String type, String data) {
    return new Draft(type, json(data));
  }

  public static JsonValue json(String text) {
    return new SmallJsonCodec().read(text.getBytes(StandardCharsets.UTF_8));
  }

  private Draft with(Consumer<Draft> change) {
    try {
      Draft copy = (Draft) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  public Draft in(String... paths) {
    return with(copy -> copy.containers = List.of(paths));
  }

  public Draft withId(String value) {
    return with(copy -> copy.id = value);
  }

  public Draft withMetadata(String key, String value) {
    return with(copy -> copy.metadata = Map.of(key, value));
  }

  public Draft withMask(String value) {
    return with(copy -> copy.mask = JsonValue.of(value));
  }

  public Draft withIndexes(String... values) {
    return with(copy -> copy.indexes = List.of(values));
  }

  public Draft withFingerprint(String value) {
    return with(copy -> copy.fingerprint = value);
  }

  public Draft expiring(Instant time) {
    return with(copy -> copy.expiresAt = time);
  }

  public Draft deduplicated() {
    return with(copy -> copy.deduplicate = true);
  }

  public TokenDraft toDraft() {
    return new TokenDraft(
        id, type, data, containers, metadata, expiresAt, mask, indexes, fingerprint, deduplicate);
  }
}
