package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import java.util.Arrays;
import java.util.List;
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
    of(
        new OutgoingRequest(
            "",
            destination,
            "/",
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  /**
   * @throws RefusedException if OkHttp would send anything else
   */
  static HttpUrl of(OutgoingRequest request) {
    HttpUrl url = build(request);
    if (!isExact(url, request)) {
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID, "The destination URL cannot be sent as it is written.");
    }
    return url;
  }

  private static HttpUrl build(OutgoingRequest request) {
    Destination destination = request.destination();
    try {
      HttpUrl.Builder url =
          new HttpUrl.Builder()
              .scheme("https")
              .host(destination.host())
              .port(destination.port())
              .encodedPath(request.path());
      // Its public ways to set a query all encode the apostrophe, which a query may hold as it is.
      request
          .query()
          .ifPresent(query -> url.setEncodedQueryNamesAndValues$okhttp(Arrays.asList(query, null)));
      return url.build();
    } catch (IllegalArgumentException unusable) {
      // Without the cause, which quotes the URL.
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID, "The destination URL cannot be used.");
    }
  }

  private static boolean isExact(HttpUrl url, OutgoingRequest request) {
    return url.host().equals(request.destination().host())
        && url.port() == request.destination().port()
        && url.encodedPath().equals(request.path())
        && Optional.ofNullable(url.encodedQuery()).equals(request.query());
  }
}
