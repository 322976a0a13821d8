package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.request.PercentEncoding;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Path and query of a URL, of the characters that RFC 3986 allows there.
 *
 * @param path empty or starting with a slash
 * @param query without the question mark
 */
public record RequestTarget(String path, Optional<String> query) {

  private static final String PATH_CHARACTERS = "!$&'()*+,;=:@/";
  private static final String QUERY_CHARACTERS = PATH_CHARACTERS + "?";

  public RequestTarget {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
  }

  /** From what the caller wrote; what may not stand in a URL is percent-encoded. */
  public static RequestTarget of(String rawPath, Optional<String> rawQuery) {
    return new RequestTarget(
        PercentEncoding.encodeForbidden(rawPath, PATH_CHARACTERS),
        rawQuery.map(raw -> PercentEncoding.encodeForbidden(raw, QUERY_CHARACTERS)));
  }

  /**
   * Returns path and query under a destination's, which come first.
   *
   * @throws RefusedException if a segment is {@code .} or {@code ..}, in any encoding
   */
  public RequestTarget under(Destination destination) {
    String wholePath = destination.path() + path;
    RequestTarget whole =
        RequestTarget.of(wholePath.isEmpty() ? "/" : wholePath, joined(destination.query(), query));
    whole.requireNoDotSegment();
    return whole;
  }

  private static Optional<String> joined(Optional<String> base, Optional<String> own) {
    return base.isEmpty() || own.isEmpty()
        ? base.or(() -> own)
        : Stream.of(base.get(), own.get())
            .filter(each -> !each.isEmpty())
            .reduce((first, second) -> first + "&" + second)
            .or(() -> own);
  }

  /**
   * @throws RefusedException if a segment is {@code .} or {@code ..}, in any encoding
   */
  public void requireNoDotSegment() {
    if (Destination.hasDotSegment(path)) {
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID,
          "The path must not have the segments . and .., however encoded.");
    }
  }

  /** Nothing: both can be secret. */
  @Override
  public String toString() {
    return "Target[redacted]";
  }
}
