package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.transform.TransformFailures;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.OptionalLong;

/**
 * The body of a response of which at least a part is in memory; the memory stays reserved until the
 * response is closed.
 */
final class BufferedResponseBody extends FilterInputStream {

  private static final byte[] NO_BYTES = {};

  private final BodyMemoryBudget.Reservation memory;

  BufferedResponseBody(InputStream body, BodyMemoryBudget.Reservation memory) {
    super(body);
    this.memory = memory;
  }

  /** Returns a response that a transform created itself, ready for the caller. */
  static ProxyResponse ofTransform(
      Transforms.Result.Response response,
      Exchange exchange,
      HeaderRules rules,
      TransformFailures failures) {
    List<HeaderField> headers = rules.toCaller(response.message().headers());
    return of(
        response.status(), new HttpMessage(headers, response.message().body()), exchange, failures);
  }

  /**
   * Returns a destination's response as a transform changed it. Reserves memory for the body in
   * place of the transform's work and transfers the reservation to the response.
   *
   * @throws io.tokenvault.domain.failure.VaultException if the status does not permit a body but
   *     the message has one
   */
  static ProxyResponse of(
      int status, HttpMessage message, Exchange exchange, TransformFailures failures) {
    if (BodyRules.isBodyless(status) && message.bodyLength() > 0) {
      throw failures.unsendable("body", "cannot be sent: responses with " + status + " have none");
    }
    boolean head = exchange.call().method().equals("HEAD");
    byte[] sent = head ? NO_BYTES : message.body().orElse(NO_BYTES);
    boolean lengthless = BodyRules.isBodyless(status) || (head && message.body().isEmpty());
    exchange.memory().endWorkWith(sent.length);
    OptionalLong length = lengthless ? OptionalLong.empty() : OptionalLong.of(message.bodyLength());
    BufferedResponseBody body =
        new BufferedResponseBody(new ByteArrayInputStream(sent), exchange.memory().openAnother());
    ProxyResponse response = new ProxyResponse(status, message.headers(), body, length);
    // The transfer is the last operation: after an earlier failure the exchange releases the
    // memory.
    exchange.memory().transferTo(body.memory);
    return response;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      memory.close();
    }
  }
}
