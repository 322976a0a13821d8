package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.request.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What of a request tells whether another one is the same. It can hold data, and the digest of a
 * short body tells of it; so nothing of it leaves but keyed hashes.
 */
public final class SentRequest {

  private final IdempotencyKey key;
  private final String method;
  private final String path;
  private final List<String> rest;
  private final String body;

  /**
   * @param path as it was sent
   * @param rest what else counts, in an order that is always the same, such as the query
   * @param body as it was sent; empty for none
   */
  public SentRequest(
      IdempotencyKey key, String method, String path, List<String> rest, byte[] body) {
    this.key = key;
    this.method = method;
    this.path = path;
    this.rest = List.copyOf(rest);
    this.body = digest(body);
  }

  private static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What it is found by, within its application. */
  String place(String applicationId) {
    return "place" + joined(List.of(applicationId, method, path, key.text()));
  }

  /** What it is compared by. */
  String content() {
    return "content" + joined(rest) + ":" + body;
  }

  /** Each behind its length, so that no two lists have the same text. */
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
