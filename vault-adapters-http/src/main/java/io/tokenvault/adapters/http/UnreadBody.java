package io.tokenvault.adapters.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What becomes of a connection whose request is answered before its body was read. The body would
 * be taken for the next request; a small one is read to its end, so that the connection can go on,
 * and for all others the answer says that it ends. {@link LingeringClose} does the rest.
 */
final class UnreadBody {

  private static final int SMALL = 256 << 10;

  private UnreadBody() {}

  /** To be called before the answer is written. */
  static void settle(Request request, Response response) {
    // Jetty's own way to the end of a body gives the connection up where that has not arrived yet.
    boolean atItsEnd = isSmall(request) ? readToItsEnd(request) : request.consumeAvailable();
    if (!atItsEnd) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
  }

  /** Whether it is announced as small, and is under way without being asked for. */
  private static boolean isSmall(Request request) {
    return request.getLength() >= 0
        && request.getLength() <= SMALL
        && !request.getHeaders().contains(HttpHeader.EXPECT);
  }

  private static boolean readToItsEnd(Request request) {
    try (InputStream body = Request.asInputStream(request)) {
      body.transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (IOException brokenOff) {
      return false;
    }
  }
}
