package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.request.PercentEncoding;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The path and query of a URL, restricted to the characters that RFC 3986 allows there.
 *
 * @param path empty or starting with a slash
 * @param query without the question mark; empty if the URL has none
 */
public record RequestTarget(String path, Optional<String> query) {

  private static final String PATH_CHARACTERS = "!$&'()*+,;=:@/";
  private static final String QUERY_CHARACTERS = PATH_CHARACTERS + "?";

  /**
   * Creates a target from the caller's text, percent-encoding characters that a URL must not
   * contain.
   */
  public static RequestTarget of(String rawPath, Optional<String> rawQuery) {
    return new RequestTarget(
        PercentEncoding.encodeForbidden(rawPath, PATH_CHARACTERS),
        rawQuery.map(raw -> PercentEncoding.encodeForbidden(raw, QUERY_CHARACTERS)));
  }

  /**
   * Returns this target appended to a destination's path and query.
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

  /** Joins two queries with {@code &}, leaving out empty ones. */
  private static Optional<String> joined(Optional<String> base, Optional<String> own) {
    return base.isEmpty() || own.isEmpty()
        ? base.or(() -> own)
        : Stream.of(base.get(), own.get())
            .filter(each -> !each.isEmpty())
            .reduce((first, second) -> first + "&" + second)
            .or(() -> own);
  }

  /**
   * Requires that no segment of the path leaves its parent.
   *
   * @throws RefusedException if a segment is {@code .} or {@code ..}, in any encoding
   */
  public void requireNoDotSegment() {
    if (Destination.hasDotSegment(path)) {
      throw new RefusedException(
          FailureCause.DESTINATION_INVALID,
          "The path must not have the segments . and .., even encoded.");
    }
  }

  /** Returns a fixed text: path and query can be secret. */
  @Override
  public String toString() {
    return "RequestTarget[redacted]";
  }
}
