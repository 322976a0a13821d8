package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.transform.HttpMessage;
import io.tokenvault.engine.transform.TransformFailures;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.ports.api.ProxyAnswer;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.OptionalLong;

/** The body of an answer that is in memory; it counts as held until the answer is closed. */
final class BufferedResponse extends ByteArrayInputStream {

  private static final byte[] NO_BYTES = {};

  private final BodyMemoryBudget.Reservation memory;

  private BufferedResponse(byte[] bytes, BodyMemoryBudget.Reservation memory) {
    super(bytes);
    this.memory = memory;
  }

  /** An answer that a transform gave by itself, ready for the caller. */
  static ProxyAnswer ofTransform(
      Transforms.Result.Answered answered,
      Exchange exchange,
      HeaderRules rules,
      TransformFailures failures) {
    List<HeaderField> headers = rules.returned(answered.message().headers());
    return of(
        answered.status(), new HttpMessage(headers, answered.message().body()), exchange, failures);
  }

  /** A destination's answer as a transform changed it. */
  static ProxyAnswer of(
      int status, HttpMessage message, Exchange exchange, TransformFailures failures) {
    if (BodyRules.isBodyless(status) && message.bodyLength() > 0) {
      throw failures.unsendable("body", "cannot be sent: answers with " + status + " have none");
    }
    boolean head = exchange.call().method().equals("HEAD");
    byte[] sent = head ? NO_BYTES : message.body().orElse(NO_BYTES);
    boolean lengthless = BodyRules.isBodyless(status) || (head && message.body().isEmpty());
    exchange.memory().endWorkWith(sent.length);
    OptionalLong length = lengthless ? OptionalLong.empty() : OptionalLong.of(message.bodyLength());
    BufferedResponse body = new BufferedResponse(sent, exchange.memory().openAnother());
    ProxyAnswer answer = new ProxyAnswer(status, message.headers(), body, length);
    // Last: what fails until then is still the exchange's to give back.
    exchange.memory().handOver(body.memory);
    return answer;
  }

  @Override
  public void close() {
    memory.close();
  }
}
