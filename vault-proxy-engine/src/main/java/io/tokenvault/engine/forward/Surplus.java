package io.tokenvault.engine.forward;

import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.internal.connection.RealCall;
import okhttp3.internal.connection.RealConnection;
import okhttp3.internal.http.RealInterceptorChain;
import okio.BufferedSource;
import okio.Source;

/**
 * Bytes that a destination sent past the end of its last answer. The next request on the connection
 * would take them for its own answer, which may be another tenant's.
 */
final class Surplus {

  private Surplus() {}

  /** Whether OkHttp has read some already, of which it tells nobody. */
  static boolean isReadOn(Interceptor.Chain chain) throws IOException {
    // The only way to its buffer; to make a codec changes nothing, each exchange has its own.
    Source source =
        ((RealConnection) chain.connection())
            .newCodec$okhttp(((RealCall) chain.call()).getClient(), (RealInterceptorChain) chain)
            .getSocket()
            .getSource();
    return !((BufferedSource) source).getBuffer().exhausted();
  }
}
