package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.ContentCoding;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs the proxy's request transform on the request about to be sent. The transform can change
 * headers and body, but neither the destination nor the method.
 *
 * <p>A body in gzip is forwarded uncompressed, whether the transform changes it or not.
 */
public final class TransformRequest implements Consumer<Exchange> {

  private static final String ACCEPT_ENCODING = "Accept-Encoding";
  private static final String CONTENT_ENCODING = "Content-Encoding";

  private final Function<Exchange, Map<TransformKind, Program>> programs;
  private final Transforms transforms;
  private final HeaderRules rules;
  private final int limit;

  /**
   * Creates the step.
   *
   * @param programs returns all transforms that an exchange runs
   * @param limit in bytes, of an uncompressed body
   */
  public TransformRequest(
      Function<Exchange, Map<TransformKind, Program>> programs,
      Transforms transforms,
      HeaderRules rules,
      int limit) {
    this.programs = programs;
    this.transforms = transforms;
    this.rules = rules;
    this.limit = limit;
  }

  @Override
  public void accept(Exchange exchange) {
    // Includes the response transform: if it cannot run, nothing must be sent.
    exchange.setPrograms(programs.apply(exchange));
    exchange.program(TransformKind.REQUEST).ifPresent(program -> transform(exchange, program));
    if (exchange.program(TransformKind.RESPONSE).isPresent() && !exchange.hasTransformResponse()) {
      // The response transform can read only an uncompressed response.
      List<HeaderField> headers =
          new ArrayList<>(Headers.without(exchange.headers(), ACCEPT_ENCODING));
      headers.add(new HeaderField(ACCEPT_ENCODING, "identity"));
      exchange.setHeaders(headers);
    }
  }

  private void transform(Exchange exchange, Program program) {
    HttpMessage packed = new HttpMessage(exchange.headers(), exchange.body().takeBytesIfAny());
    exchange.memory().reserve((long) Transforms.WORK * packed.bodyLength());
    HttpMessage message = unpacked(packed, exchange.memory());
    Transforms.Result result = transforms.run(exchange, program, message, content(message));
    if (result instanceof Transforms.Result.Response response) {
      exchange.respondByTransform(
          BufferedResponseBody.ofTransform(
              response, exchange, rules, transforms.failures(program.kind())));
      return;
    }
    HttpMessage changed = ((Transforms.Result.Changed) result).message();
    if (BodyRules.isBodyless(exchange.call().method()) && changed.bodyLength() > 0) {
      throw transforms
          .failures(program.kind())
          .unsendable("body", "cannot be sent: requests with GET and HEAD have none");
    }
    exchange.memory().endWorkWith(changed.bodyLength());
    exchange.setHeaders(changed.headers());
    exchange.setBody(InvocationBody.of(changed.body()));
  }

  /**
   * Decompresses a body in gzip; returns any other message unchanged.
   *
   * @throws RefusedException if the uncompressed body exceeds the limit
   * @throws ValidationException if the body is not valid gzip
   */
  private HttpMessage unpacked(HttpMessage packed, BodyMemoryBudget.Reservation memory) {
    Optional<ContentCoding> coding =
        ContentCoding.of(Headers.value(packed.headers(), CONTENT_ENCODING));
    if (packed.bodyLength() == 0 || !coding.equals(Optional.of(ContentCoding.GZIP))) {
      return packed;
    }
    try {
      return new HttpMessage(
          Headers.without(packed.headers(), CONTENT_ENCODING),
          Optional.of(ContentCoding.GZIP.unpack(packed.body().orElseThrow(), limit, memory)));
    } catch (ContentCoding.TooLargeException tooLarge) {
      throw new RefusedException(
          FailureCause.BODY_TOO_LARGE, "The decompressed body is too large for this proxy.");
    } catch (IOException broken) {
      throw ValidationException.of("error", "The request's body is not valid gzip.");
    }
  }

  /** Returns the body as a value for the transform. */
  private static Content content(HttpMessage message) {
    try {
      return Content.of(message.headers(), message.body());
    } catch (UnusableContentException unusable) {
      throw ValidationException.of(
          "error",
          "The request body " + unusable.getMessage() + ", although its Content-Type says so.");
    }
  }
}
