package io.tokenvault.adapters.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What becomes of a connection whose request is answered before its body was read. The rest of a
 * body would be taken for the next request, so the connection ends, and the answer has to say so,
 * or the caller would send its next request into it.
 */
final class UnreadBody {

  private UnreadBody() {}

  /** To be called before the answer is written. */
  static void settle(Request request, Response response) {
    if (!request.consumeAvailable()) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
  }
}
