package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.Change;
import io.tokenvault.domain.token.TokenPatch;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A builder of token patches; unset properties keep their values. */
public final class Patch {

  private Change<JsonValue> data = new Change.Keep<>();
  private Change<JsonValue> mask = new Change.Keep<>();
  private Change<Map<String, Optional<String>>> metadata = new Change.Keep<>();
  private Change<List<String>> containers = new Change.Keep<>();
  private Change<Instant> expiresAt = new Change.Keep<>();
  private Change<List<String>> indexes = new Change.Keep<>();
  private Change<String> fingerprint = new Change.Keep<>();

  public Patch data(String json) {
    data = new Change.To<>(Draft.json(json));
    return this;
  }

  public Patch mask(String json) {
    mask = new Change.To<>(Draft.json(json));
    return this;
  }

  public Patch withoutMask() {
    mask = new Change.Reset<>();
    return this;
  }

  public Patch metadata(String key, String value) {
    metadata = new Change.To<>(Map.of(key, Optional.ofNullable(value)));
    return this;
  }

  public Patch containers(String... paths) {
    containers = new Change.To<>(List.of(paths));
    return this;
  }

  public Patch expiresAt(Instant time) {
    expiresAt = new Change.To<>(time);
    return this;
  }

  public Patch indexes(String... expressions) {
    indexes = new Change.To<>(List.of(expressions));
    return this;
  }

  public Patch fingerprint(String expression) {
    fingerprint = new Change.To<>(expression);
    return this;
  }

  public TokenPatch toPatch() {
    return new TokenPatch(data, mask, metadata, containers, expiresAt, indexes, fingerprint);
  }
}
