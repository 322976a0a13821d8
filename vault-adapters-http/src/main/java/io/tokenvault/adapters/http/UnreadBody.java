package io.tokenvault.adapters.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
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
    if (!isSmall(request) && !isHereToItsEnd(request)) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
  }

  /**
   * Reads what has come already. Jetty's own way of doing so ends the body where more is under way,
   * and {@link LingeringClose} could not read on.
   */
  private static boolean isHereToItsEnd(Request request) {
    for (int bytes = 0; bytes <= SMALL; ) {
      Content.Chunk chunk = request.read();
      if (chunk == null || Content.Chunk.isFailure(chunk)) {
        return false;
      }
      bytes += chunk.remaining();
      boolean last = chunk.isLast();
      chunk.release();
      if (last) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is announced as small, and is under way without being asked for. */
  private static boolean isSmall(Request request) {
    return request.getLength() >= 0
        && request.getLength() <= SMALL
        && !request.getHeaders().contains(HttpHeader.EXPECT);
  }
}
