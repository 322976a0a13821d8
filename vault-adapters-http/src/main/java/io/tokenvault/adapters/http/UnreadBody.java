package io.tokenvault.adapters.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What becomes of a connection whose request is answered before its body was read. The body would
 * be taken for the next request: {@link LingeringClose} reads a small one after the answer, so that
 * the connection can go on, and for all others the answer says that the connection ends.
 */
final class UnreadBody {

  private static final int SMALL = 256 << 10;

  private UnreadBody() {}

  /** To be called before the answer is written. */
  static void settle(Request request, Response response) {
    if (!isSmall(request) && !request.consumeAvailable()) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
  }

  /** Whether it is announced as small, and is under way without being asked for. */
  private static boolean isSmall(Request request) {
    return request.getLength() >= 0
        && request.getLength() <= SMALL
        && !request.getHeaders().contains(HttpHeader.EXPECT);
  }
}
