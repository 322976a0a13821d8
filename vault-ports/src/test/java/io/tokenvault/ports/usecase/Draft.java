package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.memory.SmallJsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Builds drafts of tokens, one property after the other. */
public record Draft(
    String id,
    String type,
    JsonValue data,
    List<String> containers,
    Map<String, String> metadata,
    Instant expiresAt,
    JsonValue mask,
    List<String> indexes,
    String fingerprint,
    Boolean deduplicate) {

  private static Draft of(String type, JsonValue data) {
    return new Draft(null, type, data, null, null, null, null, null, null, null);
  }

  /** Of type token. */
  public static Draft of(String text) {
    return of("token", JsonValue.of(text));
  }

  public static Draft ofJson(String type, String data) {
    return of(type, json(data));
  }

  public static JsonValue json(String text) {
    return new SmallJsonCodec().read(text.getBytes(StandardCharsets.UTF_8));
  }

  public Draft in(String... paths) {
    return new Draft(
        id,
        type,
        data,
        List.of(paths),
        metadata,
        expiresAt,
        mask,
        indexes,
        fingerprint,
        deduplicate);
  }

  public Draft withId(String value) {
    return new Draft(
        value,
        type,
        data,
        containers,
        metadata,
        expiresAt,
        mask,
        indexes,
        fingerprint,
        deduplicate);
  }

  public Draft withMetadata(String key, String value) {
    return new Draft(
        id,
        type,
        data,
        containers,
        Map.of(key, value),
        expiresAt,
        mask,
        indexes,
        fingerprint,
        deduplicate);
  }

  public Draft withMask(String value) {
    return new Draft(
        id,
        type,
        data,
        containers,
        metadata,
        expiresAt,
        JsonValue.of(value),
        indexes,
        fingerprint,
        deduplicate);
  }

  public Draft withIndexes(String... values) {
    return new Draft(
        id,
        type,
        data,
        containers,
        metadata,
        expiresAt,
        mask,
        List.of(values),
        fingerprint,
        deduplicate);
  }

  public Draft withFingerprint(String value) {
    return new Draft(
        id, type, data, containers, metadata, expiresAt, mask, indexes, value, deduplicate);
  }

  public Draft expiring(Instant time) {
    return new Draft(
        id, type, data, containers, metadata, time, mask, indexes, fingerprint, deduplicate);
  }

  public Draft deduplicated() {
    return new Draft(
        id, type, data, containers, metadata, expiresAt, mask, indexes, fingerprint, true);
  }

  public TokenDraft toDraft() {
    return new TokenDraft(
        id, type, data, containers, metadata, expiresAt, mask, indexes, fingerprint, deduplicate);
  }
}
