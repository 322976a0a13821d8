package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.Sha256;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * The properties of a request that distinguish it from others.
 *
 * <p>They can contain data, and the digest of a short body can reveal it; so only keyed hashes of
 * them are stored. The body is retained as its SHA-256 digest.
 */
public final class SentRequest {

  /** The time for which a request stays recorded. */
  private static final Duration RETENTION = Duration.ofHours(24);

  private final IdempotencyKey key;
  private final String method;
  private final String path;
  private final List<String> rest;
  private final String body;

  /**
   * Creates the description of a request.
   *
   * @param path as it was sent
   * @param rest further parts that distinguish requests, in a fixed order, such as the query
   * @param body as it was sent; empty for none
   */
  public SentRequest(
      IdempotencyKey key, String method, String path, List<String> rest, byte[] body) {
    this.key = key;
    this.method = method;
    this.path = path;
    this.rest = List.copyOf(rest);
    this.body = HexFormat.of().formatHex(Sha256.digest().digest(body));
  }

  /** Returns the request with the keyed hashes by which it is found and compared. */
  IdempotentRequest hashed(TokenHasher hasher, Caller caller) {
    TenantKeys keys = caller.keys();
    return new IdempotentRequest(
        caller.tenantId(),
        caller.application().id(),
        UUID.randomUUID(),
        hasher.requests(keys, place(caller.id().toString())),
        hasher.requests(keys, content()),
        keys.keys().size(),
        RETENTION);
  }

  /** Returns the string whose hash finds the request within its application. */
  String place(String applicationId) {
    return "place" + joined(List.of(applicationId, method, path, key.text()));
  }

  /** Returns the string whose hash is compared with that of a retry. */
  String content() {
    return "content" + joined(rest) + ":" + body;
  }

  /** Joins strings with their lengths, so that no two lists yield equal strings. */
  private static String joined(List<String> parts) {
    StringBuilder text = new StringBuilder();
    for (String part : parts) {
      text.append(':')
          .append(part.getBytes(StandardCharsets.UTF_8).length)
          .append(':')
          .append(part);
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return "SentRequest[" + method + "]";
  }
}
