package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.resource.UnknownRoutes;
import io.tokenvault.adapters.http.response.ProblemMapper;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.TraceId;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Rejects requests for foreign host names with status 421, on a listener that only this machine can
 * reach.
 *
 * <p>It protects against DNS rebinding: otherwise a foreign page could resolve its own name to a
 * loopback address and, in an operator's browser, read the pages that need no API key.
 */
final class LocalHostCheck extends Handler.Wrapper {

  /** Matches IPv4 and IPv6 addresses, which cannot be rebound. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-f:.%]*:[0-9a-f:.%]*]?");

  private final String ownName;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;

  /**
   * Creates the check.
   *
   * @param ownName the host that the listener is configured with; accepted besides local names and
   *     IP addresses
   * @param handler handles accepted requests
   */
  LocalHostCheck(String ownName, ProblemMapper problems, ServiceHeaders headers, Handler handler) {
    super(handler);
    this.ownName = ownName.toLowerCase(Locale.ROOT);
    this.problems = problems;
    this.headers = headers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (isLocal(Request.getServerName(request))) {
      return super.handle(request, response, callback);
    }
    TraceId trace = TraceId.of(request, headers);
    response.getHeaders().put(headers.traceId(), trace.value());
    ResponseWriter.write(response, problems.answer(UnknownRoutes.foreignName(), trace), callback);
    return true;
  }

  private boolean isLocal(String host) {
    String name = String.valueOf(host).toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.equals(ownName)
        || name.endsWith(".localhost")
        || ADDRESS.matcher(name).matches();
  }
}
