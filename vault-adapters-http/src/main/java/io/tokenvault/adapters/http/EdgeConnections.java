package io.tokenvault.adapters.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Connections that know whether a request was meant for the proxy even if its first line cannot be
 * read: Jetty forgets such a line, and the proxy's errors have a form of their own. Their callers
 * can be watched ({@link WatchedCaller}).
 */
final class EdgeConnections extends HttpConnectionFactory {

  private static final int LOOK_AHEAD = 64;
  private static final Pattern FOR_PROXY =
      Pattern.compile("\\s*\\S+ /proxy(?:[/?# ].*)?", Pattern.DOTALL);

  EdgeConnections(HttpConfiguration http) {
    super(http);
  }

  /** Whether the last request that began on this connection was one of the proxy's. */
  static boolean lastWasForProxy(Request request) {
    return request.getConnectionMetaData().getConnection() instanceof EdgeConnection connection
        && connection.getParser() instanceof LookingParser parser
        && parser.forProxy;
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    HttpConnection connection =
        new EdgeConnection(getHttpConfiguration(), connector, watched(connector, endPoint));
    connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
    return configure(connection, connector, endPoint);
  }

  /** All end points of sockets, encrypted or not, are of this kind. */
  private static EndPoint watched(Connector connector, EndPoint endPoint) {
    return endPoint instanceof AbstractEndPoint watchable
        ? new WatchedEndPoint(watchable, connector.getExecutor())
        : endPoint;
  }

  private static final class EdgeConnection extends HttpConnection {

    // Set by the super constructor, which calls the methods below.
    private RequestHandler handler;

    EdgeConnection(HttpConfiguration http, Connector connector, EndPoint endPoint) {
      super(http, connector, endPoint);
    }

    @Override
    protected RequestHandler newRequestHandler() {
      handler = super.newRequestHandler();
      return handler;
    }

    @Override
    protected HttpParser newHttpParser(HttpCompliance compliance) {
      HttpConfiguration http = getHttpConfiguration();
      HttpParser parser = new LookingParser(handler, http.getRequestHeaderSize(), compliance);
      parser.setHeaderCacheSize(http.getHeaderCacheSize());
      parser.setHeaderCacheCaseSensitive(http.isHeaderCacheCaseSensitive());
      return parser;
    }
  }

  /** Looks at the start of each request before it is parsed. */
  private static final class LookingParser extends HttpParser {

    private boolean forProxy;

    LookingParser(RequestHandler handler, int maxHeaderBytes, HttpCompliance compliance) {
      super(handler, maxHeaderBytes, compliance);
    }

    @Override
    public boolean parseNext(ByteBuffer buffer) {
      if (isStart() && buffer.hasRemaining()) {
        byte[] start = new byte[Math.min(LOOK_AHEAD, buffer.remaining())];
        buffer.get(buffer.position(), start);
        forProxy = FOR_PROXY.matcher(new String(start, StandardCharsets.ISO_8859_1)).matches();
      }
      return super.parseNext(buffer);
    }
  }
}
