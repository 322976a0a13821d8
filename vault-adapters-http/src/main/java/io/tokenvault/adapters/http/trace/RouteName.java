package io.tokenvault.adapters.http.trace;

import io.javalin.http.Handler;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/** The template of the path that a request got to, which is kept with it. */
public final class RouteName {

  /** The path below which requests are forwarded. */
  public static final String PROXY = "/proxy";

  static final String NONE = "none";

  private static final String ATTRIBUTE = "io.tokenvault.route";

  private RouteName() {}

  /** The handler of a route, which notes its name first. */
  public static Handler noting(String path, Handler handler) {
    return context -> {
      note(ServletContextRequest.getServletContextRequest(context.req()), path);
      handler.handle(context);
    };
  }

  public static void note(Request request, String path) {
    request.setAttribute(ATTRIBUTE, path);
  }

  /** Returns whether the request is to be forwarded by the proxy. */
  public static boolean isProxy(Request request) {
    String path = request.getHttpURI().getPath();
    return path != null && (path.equals(PROXY) || path.startsWith(PROXY + "/"));
  }

  public static String of(Request request) {
    return request.getAttribute(ATTRIBUTE) instanceof String name ? name : NONE;
  }
}
