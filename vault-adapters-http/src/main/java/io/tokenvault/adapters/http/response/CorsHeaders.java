package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.trace.RouteName;
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
 * Lets pages of the configured origins use tokens and the proxy. Preflights are answered here,
 * without a key, and never forwarded.
 */
public final class CorsHeaders {

  private static final String PREFIX = "Access-Control-";
  private static final String MAX_AGE_SECONDS = "600";
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  private static final List<String> PATHS =
      List.of("/tokens", "/tokenize", "/detokenize", RouteName.PROXY);

  private final Set<String> allowedOrigins;
  private final String exposed;

  public CorsHeaders(Set<String> allowedOrigins, ServiceHeaders headers) {
    this.allowedOrigins = Set.copyOf(allowedOrigins);
    this.exposed =
        String.join(
            ", ",
            headers.traceId(),
            headers.destinationStatus(),
            headers.idempotencyRepeat(),
            EntityTags.ETAG);
  }

  /** Whether a browser asks for leave, for a path that pages may use. */
  public boolean isPreflight(Request request) {
    return request.getMethod().equals("OPTIONS")
        && request.getHeaders().contains(HttpHeader.ORIGIN)
        && request.getHeaders().contains(PREFIX + "Request-Method")
        && isOpenToPages(request);
  }

  /** An answer without leave is a refusal to the browser. */
  public void answerPreflight(Request request, Response response, Callback callback) {
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

  /** Adds what lets a page of an allowed origin read the answer. */
  public void allow(Request request, Response response) {
    if (allowedOrigins.isEmpty() || !isOpenToPages(request)) {
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

  /** Whether this header of a destination gives way, since its page is one of ours. */
  public boolean decides(Request request, String header) {
    return header.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        && allowed(request).isPresent();
  }

  private Optional<String> allowed(Request request) {
    return Optional.ofNullable(request.getHeaders().get(HttpHeader.ORIGIN))
        .filter(allowedOrigins::contains);
  }

  private static boolean isOpenToPages(Request request) {
    String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
    return PATHS.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
  }
}
