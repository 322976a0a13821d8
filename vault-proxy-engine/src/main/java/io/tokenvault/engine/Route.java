package io.tokenvault.engine;

import java.util.List;
import java.util.Optional;

/**
 * What a request says about who sends it and where to; none of it is checked yet. Not a record,
 * since it holds keys.
 */
final class Route {

  private final List<String> apiKeys;
  private final List<String> proxyKeys;
  private final List<String> urls;

  /**
   * @param apiKeys every one that was sent, since a key may be sent once only
   * @param proxyKeys the different ones
   * @param urls the different ones
   */
  Route(List<String> apiKeys, List<String> proxyKeys, List<String> urls) {
    this.apiKeys = List.copyOf(apiKeys);
    this.proxyKeys = List.copyOf(proxyKeys);
    this.urls = List.copyOf(urls);
  }

  boolean hasSeveralApiKeys() {
    return apiKeys.size() > 1;
  }

  Optional<String> apiKey() {
    return apiKeys.stream().findFirst();
  }

  boolean hasSeveralProxyKeys() {
    return proxyKeys.size() > 1;
  }

  Optional<String> proxyKey() {
    return proxyKeys.stream().findFirst();
  }

  boolean hasSeveralUrls() {
    return urls.size() > 1;
  }

  Optional<String> url() {
    return urls.stream().findFirst();
  }
}
