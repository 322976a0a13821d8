package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import java.util.Arrays;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * Creates OkHttp URLs and verifies that they are identical to the destination that was checked,
 * byte for byte.
 */
public final class ExactUrl {

  private ExactUrl() {}

  /**
   * Refuses early a destination that OkHttp would refuse when sending: a host name whose Punycode
   * is invalid or not canonical.
   *
   * @throws RefusedException if no request can be sent to this host
   */
  public static void requireSendable(Destination destination) {
    of(destination, "/", Optional.empty());
  }

  /**
   * Creates a URL.
   *
   * @throws RefusedException if OkHttp would send anything else
   */
  static HttpUrl of(Destination destination, String path, Optional<String> query) {
    HttpUrl url = build(destination, path, query);
    if (!isExact(url, destination, path, query)) {
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID, "The destination URL cannot be sent as it is written.");
    }
    return url;
  }

  private static HttpUrl build(Destination destination, String path, Optional<String> query) {
    try {
      HttpUrl.Builder url =
          new HttpUrl.Builder()
              .scheme("https")
              .host(destination.host())
              .port(destination.port())
              .encodedPath(path);
      // All public methods for setting a query encode the apostrophe, which a query may contain.
      query.ifPresent(text -> url.setEncodedQueryNamesAndValues$okhttp(Arrays.asList(text, null)));
      return url.build();
    } catch (IllegalArgumentException unusable) {
      // The cause is left out because it quotes the URL.
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID, "The destination URL cannot be used.");
    }
  }

  /** Returns whether OkHttp changed none of the parts. */
  private static boolean isExact(
      HttpUrl url, Destination destination, String path, Optional<String> query) {
    return url.host().equals(destination.host())
        && url.port() == destination.port()
        && url.encodedPath().equals(path)
        && Optional.ofNullable(url.encodedQuery()).equals(query);
  }
}
