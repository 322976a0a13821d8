package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Implements CORS, so that browser pages of the configured origins can use tokens and the proxy.
 *
 * <p>Preflight requests need no API key and are never forwarded to a destination. Without
 * configured origins the vault sends no CORS headers of its own.
 */
public final class CorsHeaders {

  private static final String PREFIX = "Access-Control-";
  private static final String MAX_AGE_SECONDS = "600";
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

  /** The paths that pages may use, with everything below them. */
  private static final List<String> PATHS =
      List.of("/tokens", "/tokenize", "/detokenize", RequestObserver.PROXY_PATH);

  private final Set<String> allowedOrigins;
  private final String exposed;

  /**
   * Creates the headers.
   *
   * @param allowedOrigins the origins that may read responses, such as {@code https://shop.example}
   * @param headers names the response headers that pages may read
   */
  public CorsHeaders(Set<String> allowedOrigins, ServiceHeaders headers) {
    this.allowedOrigins = Set.copyOf(allowedOrigins);
    this.exposed =
        String.join(
            ", ",
            headers.traceId(),
            headers.destinationStatus(),
            headers.idempotencyRepeat(),
            ApiResponse.ETAG,
            String.join(", ", RateLimitHeaders.NAMES));
  }

  /** Returns whether pages of any origin may read responses. */
  public boolean isEnabled() {
    return !allowedOrigins.isEmpty();
  }

  /** Returns whether an OPTIONS request is a CORS preflight for a path that pages may use. */
  public boolean isPreflight(Request request) {
    return request.getHeaders().contains(HttpHeader.ORIGIN)
        && request.getHeaders().contains(PREFIX + "Request-Method")
        && isOpenToPages(request);
  }

  /**
   * Responds to a preflight with status 204. The browser takes a response without permission as a
   * denial.
   */
  public void respondToPreflight(Request request, Response response, Callback callback) {
    allow(request, response);
    if (allowed(request).isPresent()) {
      HttpFields.Mutable fields = response.getHeaders();
      fields.put(PREFIX + "Allow-Methods", METHODS);
      Optional.ofNullable(request.getHeaders().get(PREFIX + "Request-Headers"))
          .ifPresent(asked -> fields.put(PREFIX + "Allow-Headers", asked));
      fields.put(PREFIX + "Max-Age", MAX_AGE_SECONDS);
    }
    ResponseWriter.write(response, ApiResponse.noContent(), callback);
  }

  /** Adds the headers that allow a page of a configured origin to read the response. */
  public void allow(Request request, Response response) {
    if (!isEnabled() || !isOpenToPages(request)) {
      return;
    }
    response.getHeaders().add(HttpHeader.VARY, "Origin");
    allowed(request)
        .ifPresent(
            origin -> {
              response.getHeaders().put(PREFIX + "Allow-Origin", origin);
              response.getHeaders().put(PREFIX + "Expose-Headers", exposed);
            });
  }

  /**
   * Returns whether a header of the destination's response is dropped: CORS headers are, if this
   * class sets its own for the page.
   */
  public boolean decides(Request request, String header) {
    return header.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        && allowed(request).isPresent();
  }

  /** Returns the origin of the request if it is allowed. */
  private Optional<String> allowed(Request request) {
    return Optional.ofNullable(request.getHeaders().get(HttpHeader.ORIGIN))
        .filter(allowedOrigins::contains);
  }

  private static boolean isOpenToPages(Request request) {
    String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
    return PATHS.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
  }
}
