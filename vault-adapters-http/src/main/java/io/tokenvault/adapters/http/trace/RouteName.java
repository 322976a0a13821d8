package io.tokenvault.adapters.http.trace;

import io.javalin.http.Handler;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * The route that a request was dispatched to, kept as an attribute of the request. Metrics use the
 * template of the path, since paths themselves hold ids.
 */
public final class RouteName {

  /** The path below which requests are forwarded. */
  public static final String PROXY = "/proxy";

  /** The name for requests that no route has matched. */
  static final String NONE = "none";

  private static final String ATTRIBUTE = "io.tokenvault.route";

  private RouteName() {}

  /**
   * Returns a handler that records the route of the request and then calls the given handler.
   *
   * @param path the template of the path, such as <code>/tokens/{id}</code>
   */
  public static Handler noting(String path, Handler handler) {
    return context -> {
      note(ServletContextRequest.getServletContextRequest(context.req()), path);
      handler.handle(context);
    };
  }

  /** Records the route of a request that does not pass through Javalin's routes. */
  public static void note(Request request, String path) {
    request.setAttribute(ATTRIBUTE, path);
  }

  /** Returns whether the request is an invocation of the proxy. */
  public static boolean isProxy(Request request) {
    String path = request.getHttpURI().getPath();
    return path != null && (path.equals(PROXY) || path.startsWith(PROXY + "/"));
  }

  /** Returns the template of the route that the request was dispatched to, or {@code none}. */
  public static String of(Request request) {
    return request.getAttribute(ATTRIBUTE) instanceof String name ? name : NONE;
  }
}
