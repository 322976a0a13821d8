package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.TransformFailures;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.ContentCoding;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the proxy's response transform on successful responses (2xx) and turns a destination's
 * response into the caller's: filters its headers and adds the header that marks the status as the
 * destination's. The status remains the destination's unless the transform creates a response
 * itself.
 *
 * <p>A body in gzip or deflate is returned uncompressed, whether the transform changes it or not.
 */
public final class TransformResponse implements Consumer<Exchange> {

  private static final String CONTENT_ENCODING = "Content-Encoding";
  private static final int SUCCESS = 2;
  private static final int PER_CLASS = 100;

  private final Transforms transforms;
  private final HeaderRules rules;
  private final ServiceHeaders names;
  private final int limit;

  /**
   * Creates the step.
   *
   * @param limit in bytes, of a response's body, both compressed and uncompressed
   */
  public TransformResponse(
      Transforms transforms, HeaderRules rules, ServiceHeaders names, int limit) {
    this.transforms = transforms;
    this.rules = rules;
    this.names = names;
    this.limit = limit;
  }

  @Override
  public void accept(Exchange exchange) {
    Optional<Program> program = exchange.program(TransformKind.RESPONSE);
    ProxyResponse received = exchange.response().orElseThrow();
    if (program.isPresent() && received.status() / PER_CLASS == SUCCESS) {
      transform(exchange, program.get(), received);
    }
    if (!exchange.hasTransformResponse()) {
      ProxyResponse response = exchange.response().orElseThrow();
      List<HeaderField> fields = rules.toCaller(response.headers());
      fields.add(new HeaderField(names.destinationStatus(), String.valueOf(response.status())));
      exchange.setResponse(
          new ProxyResponse(response.status(), fields, response.body(), response.bodyLength()));
    }
  }

  private void transform(Exchange exchange, Program program, ProxyResponse response) {
    try {
      change(exchange, program, response);
    } catch (RefusedException refused) {
      throw refused.failure().code() == FailureCode.UNAVAILABLE
          ? transforms.failures(TransformKind.RESPONSE).overloaded(refused)
          : refused;
    }
  }

  private void change(Exchange exchange, Program program, ProxyResponse response) {
    // The request was sent: its body needs no memory any more.
    exchange.memory().endWorkWith(0);
    List<HeaderField> headers = rules.endToEnd(response.headers());
    HttpMessage message = unpacked(headers, read(response, exchange.memory()), exchange.memory());
    exchange.memory().reserve((long) Transforms.WORK * message.bodyLength());
    Transforms.Result result = transforms.run(exchange, program, message, content(message));
    TransformFailures failures = transforms.failures(program.kind());
    if (result instanceof Transforms.Result.Response given) {
      exchange.respondByTransform(
          BufferedResponseBody.ofTransform(given, exchange, rules, failures));
    } else {
      HttpMessage changed = ((Transforms.Result.Changed) result).message();
      exchange.setResponse(BufferedResponseBody.of(response.status(), changed, exchange, failures));
    }
  }

  /** Reads the whole body and closes the response. */
  private byte[] read(ProxyResponse response, BodyMemoryBudget.Reservation memory) {
    try (response) {
      byte[] body = InvocationBody.read(response.body(), response.bodyLength(), limit, memory);
      if (body.length > limit) {
        throw tooLarge();
      }
      return body;
    } catch (IOException cutShort) {
      throw new RefusedException(
          FailureCause.DESTINATION_BROKE_OFF, "The destination's response ended early.");
    }
  }

  /** Decompresses the body. */
  private HttpMessage unpacked(
      List<HeaderField> headers, byte[] packed, BodyMemoryBudget.Reservation memory) {
    List<HeaderField> without = Headers.without(headers, CONTENT_ENCODING);
    if (packed.length == 0) {
      return new HttpMessage(without, Optional.empty());
    }
    ContentCoding coding =
        ContentCoding.of(Headers.value(headers, CONTENT_ENCODING))
            .orElseThrow(() -> unusable("has an encoding other than gzip or deflate"));
    try {
      return new HttpMessage(without, Optional.of(coding.unpack(packed, limit, memory)));
    } catch (ContentCoding.TooLargeException tooLarge) {
      throw tooLarge();
    } catch (IOException broken) {
      throw unusable("does not match its encoding");
    }
  }

  private static Content content(HttpMessage message) {
    try {
      return Content.of(message.headers(), message.body());
    } catch (UnusableContentException unusable) {
      throw unusable(unusable.getMessage() + ", although its Content-Type says so");
    }
  }

  private static VaultException tooLarge() {
    return unusable("is too large for a transform");
  }

  private static VaultException unusable(String why) {
    return new RefusedException(
        FailureCause.ANSWER_ENCODED, "The body of the destination's response " + why + ".");
  }
}
