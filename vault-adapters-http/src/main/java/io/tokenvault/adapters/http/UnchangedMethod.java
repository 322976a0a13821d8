package io.tokenvault.adapters.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;

/**
 * A request without the header by which Javalin would take it for one of another method, so that a
 * GET that something let through as harmless cannot delete.
 */
final class UnchangedMethod extends Request.Wrapper {

  private static final String OVERRIDE = "X-HTTP-Method-Override";

  private final HttpFields headers;

  UnchangedMethod(Request request) {
    super(request);
    HttpFields all = request.getHeaders();
    this.headers = all.contains(OVERRIDE) ? HttpFields.build(all).remove(OVERRIDE) : all;
  }

  @Override
  public HttpFields getHeaders() {
    return headers;
  }
}
