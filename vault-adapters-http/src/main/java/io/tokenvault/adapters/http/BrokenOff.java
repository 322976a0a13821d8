package io.tokenvault.adapters.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;

/** How a caller sees that its answer is not complete. */
final class BrokenOff {

  private BrokenOff() {}

  /**
   * HTTP/1.0 tells the end of a body by the end of the connection, so that one that ends in good
   * order would look complete. To be called before the connection is closed.
   */
  static void showByReset(Request request) {
    Object transport = request.getConnectionMetaData().getConnection().getEndPoint().getTransport();
    if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0
        && transport instanceof NetworkChannel channel) {
      resetOnClose(channel);
    }
  }

  private static void resetOnClose(NetworkChannel channel) {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException callerIsGone) {
      // Then nobody is left to be misled.
    }
  }
}
