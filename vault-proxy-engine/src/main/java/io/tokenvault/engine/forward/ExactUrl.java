package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import java.util.Arrays;
import java.util.Optional;
import okhttp3.HttpUrl;

/** Makes OkHttp's URLs, and makes sure that they say what was checked, byte for byte. */
public final class ExactUrl {

  private ExactUrl() {}

  /**
   * Refuses what OkHttp would refuse in the end, before anything was done for it: names whose
   * punycode stands for nothing, or not in the one right way.
   *
   * @throws RefusedException if no request can be sent to this host
   */
  public static void requireSendable(Destination destination) {
    of(destination, "/", Optional.empty());
  }

  /**
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
      // Its public ways to set a query all encode the apostrophe, which a query may hold as it is.
      query.ifPresent(text -> url.setEncodedQueryNamesAndValues$okhttp(Arrays.asList(text, null)));
      return url.build();
    } catch (IllegalArgumentException unusable) {
      // Without the cause, which quotes the URL.
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID, "The destination URL cannot be used.");
    }
  }

  private static boolean isExact(
      HttpUrl url, Destination destination, String path, Optional<String> query) {
    return url.host().equals(destination.host())
        && url.port() == destination.port()
        && url.encodedPath().equals(path)
        && Optional.ofNullable(url.encodedQuery()).equals(query);
  }
}
