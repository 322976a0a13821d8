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
 * The keys and the destination that a request names in its headers and query, all unchecked. Not a
 * record, because a record would print the keys.
 */
public final class Route {

  private final List<String> apiKeys = new ArrayList<>(1);
  private final Set<String> proxyKeys = new LinkedHashSet<>();
  private final Set<String> urls = new LinkedHashSet<>();
  private final List<String> idempotencyKeys = new ArrayList<>(0);
  private final RequestTarget target;

  private Route(ProxyCall call, ServiceHeaders names) {
    for (HeaderField field : call.headers()) {
      if (field.is(names.apiKey())) {
        apiKeys.add(field.value());
      } else if (field.is(names.proxyKey())) {
        proxyKeys.add(field.value());
      } else if (field.is(names.proxyUrl())) {
        urls.add(field.value());
      } else if (field.is(names.idempotencyKey())) {
        idempotencyKeys.add(field.value());
      }
    }
    this.target =
        RequestTarget.of(
            call.path(), call.query().flatMap(raw -> readQuery(raw, names.proxyKeyParameter())));
  }

  /** Reads the service's headers and takes the proxy key out of the query. */
  public static Route read(ProxyCall call, ServiceHeaders names) {
    return new Route(call, names);
  }

  /**
   * Takes the proxy keys out of a query, whatever the case or percent-encoding of their name.
   *
   * @return the other pairs exactly as they were written; empty if there are none
   */
  private Optional<String> readQuery(String raw, String proxyKey) {
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

  /** Returns whether more than one API key was sent, even if all are identical. */
  public boolean hasSeveralApiKeys() {
    return apiKeys.size() > 1;
  }

  /** Returns the first API key; empty if none was sent. */
  public Optional<String> apiKey() {
    return apiKeys.stream().findFirst();
  }

  /** Returns whether different proxy keys were sent; repeating one key is allowed. */
  public boolean hasSeveralProxyKeys() {
    return proxyKeys.size() > 1;
  }

  /** Returns the first proxy key, from a header or the query; empty if none was sent. */
  public Optional<String> proxyKey() {
    return proxyKeys.stream().findFirst();
  }

  /** Returns whether different destination URLs were sent; repeating one URL is allowed. */
  public boolean hasSeveralUrls() {
    return urls.size() > 1;
  }

  /** Returns the first destination URL; empty if none was sent. */
  public Optional<String> url() {
    return urls.stream().findFirst();
  }

  /** Returns every idempotency key that was sent. */
  public List<String> idempotencyKeys() {
    return idempotencyKeys;
  }

  /** Returns the caller's path and query, without the proxy key. */
  public RequestTarget target() {
    return target;
  }
}
