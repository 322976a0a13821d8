package io.tokenvault.ports.api;

import io.tokenvault.domain.request.HeaderField;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A destination's answer on its way to the caller. Whoever receives it closes it, having read the
 * body to its end or not; a body that ends with an exception was cut short, and the caller's answer
 * must break off too.
 *
 * @param status as the destination gave it
 * @param headers in order, without hop-by-hop headers, lengths and everything of the service's
 * @param body as it arrives
 * @param bodyLength in bytes, where the destination announced it and it holds
 */
public record ProxyAnswer(
    int status, List<HeaderField> headers, InputStream body, OptionalLong bodyLength)
    implements AutoCloseable {

  public ProxyAnswer {
    headers = List.copyOf(headers);
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(bodyLength, "bodyLength");
  }

  @Override
  public void close() throws IOException {
    body.close();
  }

  /** The status only: everything else can be secret. */
  @Override
  public String toString() {
    return "ProxyAnswer[" + status + "]";
  }
}
