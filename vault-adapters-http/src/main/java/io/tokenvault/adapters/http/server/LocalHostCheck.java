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
 * Refuses requests for other names than this machine's, where only this machine can connect. A page
 * of somebody else's could otherwise have its own name resolved to a loopback address and read, in
 * the browser of whoever works here, what needs no key.
 */
final class LocalHostCheck extends Handler.Wrapper {

  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-f:.%]*:[0-9a-f:.%]*]?");

  private final String ownName;
  private final ProblemMapper problems;
  private final ServiceHeaders headers;

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
