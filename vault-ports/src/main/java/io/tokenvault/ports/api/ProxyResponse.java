package io.tokenvault.ports.api;

import io.tokenvault.domain.request.HeaderField;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A destination's response on its way to the caller.
 *
 * <p>The recipient closes it, whether or not it has read the whole body. A body that ends with an
 * exception was truncated; the response to the caller must be aborted, too.
 *
 * @param status the status code that the destination sent
 * @param headers in their order, without hop-by-hop and length headers and without the service's
 *     own headers
 * @param body the body, streamed as it is received
 * @param bodyLength in bytes, if the destination announced it and the body still has that length
 */
public record ProxyResponse(
    int status, List<HeaderField> headers, InputStream body, OptionalLong bodyLength)
    implements AutoCloseable {

  public ProxyResponse {
    headers = List.copyOf(headers);
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(bodyLength, "bodyLength");
  }

  @Override
  public void close() throws IOException {
    body.close();
  }

  /** Returns the status only, because every other part can be secret. */
  @Override
  public String toString() {
    return "ProxyResponse[" + status + "]";
  }
}
