package io.tokenvault.adapters.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/** How a caller sees that its answer is not complete. */
final class BrokenOff {

  private BrokenOff() {}

  /**
   * On a connection that is not kept, the end of a body may be told by the end of the connection,
   * so that one that ends in good order, TLS's included, would look complete. To be called before
   * the connection is closed.
   */
  static void showByReset(Request request) {
    if (endsItsConnection(request.getConnectionMetaData())
        && transport(request) instanceof NetworkChannel channel) {
      reset(channel);
    }
  }

  private static boolean endsItsConnection(ConnectionMetaData connection) {
    return connection.getHttpVersion() == HttpVersion.HTTP_1_0 || !connection.isPersistent();
  }

  /** What the bytes go over, under whatever encrypts them. */
  private static Object transport(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    while (endPoint instanceof EndPoint.Wrapper wrapper) {
      endPoint = wrapper.unwrap();
    }
    return endPoint.getTransport();
  }

  private static void reset(NetworkChannel channel) {
    try (channel) {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException callerIsGone) {
      // Then nobody is left to be misled.
    }
  }
}
