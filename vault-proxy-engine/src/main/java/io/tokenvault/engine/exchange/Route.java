package io.tokenvault.engine.exchange;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys and the destination that a request names in its headers and query, all unchecked.
 *
 * @param apiKeys every API key that was sent, even if all are identical
 * @param proxyKeys the different proxy keys, from headers and query; repeating one key is allowed
 * @param urls the different destination URLs; repeating one URL is allowed
 * @param idempotencyKeys every idempotency key that was sent
 * @param target the caller's path and query, without the proxy key
 */
public record Route(
    List<String> apiKeys,
    Set<String> proxyKeys,
    Set<String> urls,
    List<String> idempotencyKeys,
    RequestTarget target) {

  /** Reads the service's headers and takes the proxy key out of the query. */
  public static Route read(ProxyCall call, ServiceHeaders names) {
    List<String> apiKeys = new ArrayList<>(1);
    Set<String> proxyKeys = new LinkedHashSet<>();
    Set<String> urls = new LinkedHashSet<>();
    List<String> idempotencyKeys = new ArrayList<>(0);
    String apiKey = names.apiKey();
    String proxyKey = names.proxyKey();
    String proxyUrl = names.proxyUrl();
    String idempotencyKey = names.idempotencyKey();
    for (HeaderField field : call.headers()) {
      if (field.is(apiKey)) {
        apiKeys.add(field.value());
      } else if (field.is(proxyKey)) {
        proxyKeys.add(field.value());
      } else if (field.is(proxyUrl)) {
        urls.add(field.value());
      } else if (field.is(idempotencyKey)) {
        idempotencyKeys.add(field.value());
      }
    }
    Optional<String> query =
        call.query().flatMap(raw -> readQuery(raw, names.proxyKeyParameter(), proxyKeys));
    RequestTarget target = RequestTarget.of(call.path(), query);
    return new Route(apiKeys, proxyKeys, urls, idempotencyKeys, target);
  }

  /**
   * Takes the proxy keys out of a query, whatever the case or percent-encoding of their name.
   *
   * @return the other pairs exactly as they were written; empty if there are none
   */
  private static Optional<String> readQuery(String raw, String proxyKey, Set<String> proxyKeys) {
    List<String> others = new ArrayList<>();
    for (String pair : raw.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      if (decode(parts[0]).strip().equalsIgnoreCase(proxyKey)) {
        proxyKeys.add(parts.length == 1 ? "" : decode(parts[1]));
      } else {
        others.add(pair);
      }
    }
    return others.isEmpty() ? Optional.empty() : Optional.of(String.join("&", others));
  }

  private static String decode(String text) {
    return PercentEncoding.decode(text, true, StandardCharsets.UTF_8);
  }

  /** Returns the first API key; empty if none was sent. */
  public Optional<String> apiKey() {
    return apiKeys.stream().findFirst();
  }

  /** Returns the first proxy key; empty if none was sent. */
  public Optional<String> proxyKey() {
    return proxyKeys.stream().findFirst();
  }

  /** Returns the first destination URL; empty if none was sent. */
  public Optional<String> url() {
    return urls.stream().findFirst();
  }

  /** Returns a fixed text: the keys are secret. */
  @Override
  public String toString() {
    return "Route[redacted]";
  }
}
