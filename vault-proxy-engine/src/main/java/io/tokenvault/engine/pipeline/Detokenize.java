package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.RequestTarget;
import io.tokenvault.engine.expression.PercentEncodedText;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.TextualBody.BodyTemplate;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.filter.FilterChain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Records the invocation, then replaces the expressions in path, query, headers and body together,
 * and announces a request with an idempotency key.
 *
 * <p>No earlier step has access to token data, and no later step runs unless the record is durable.
 */
public final class Detokenize implements Consumer<Exchange> {

  /** Provides the data of tokens. */
  public interface TokenAccess {
    /**
     * Records the invocation and returns access to the data of its tokens.
     *
     * @param ids token ids as they were written; empty if nothing is replaced
     */
    TokenValues open(Exchange exchange, Set<String> ids);
  }

  private final TokenAccess tokens;
  private final HeaderRules rules;
  private final Consumer<Exchange> announcement;

  /**
   * Creates the step and loads the filters, so that the first request does not wait for them.
   *
   * @param tokens records the invocation before it returns token data
   * @param announcement announces a request with an idempotency key, or replays its response
   */
  public Detokenize(TokenAccess tokens, HeaderRules rules, Consumer<Exchange> announcement) {
    this.tokens = tokens;
    this.rules = rules;
    this.announcement = announcement;
    FilterChain.warmUp();
  }

  @Override
  public void accept(Exchange exchange) {
    List<HeaderField> fields = rules.fromCaller(exchange.call().headers());
    RequestTarget target = exchange.route().target();
    if (exchange.isDetokenized()) {
      Request request = Request.read(exchange, fields);
      target = request.render(exchange, record(exchange, request.tokenIds()));
    } else {
      record(exchange, Set.of());
      exchange.setHeaders(fields);
    }
    exchange.setRequested(target);
    if (exchange.idempotency().isPresent()) {
      announcement.accept(exchange);
    }
  }

  /** Records the invocation. Once this returns, the end is recorded too, whatever it is. */
  private TokenValues record(Exchange exchange, Set<String> ids) {
    TokenValues values = tokens.open(exchange, ids);
    exchange.setRecorded();
    return values;
  }

  /**
   * The parts of one request in which expressions are replaced.
   *
   * @param values the templates of the headers' values, in the order of {@code fields}
   * @param buffered the body as it was received; empty if it is not searched for expressions
   * @param body empty if the body contains no expression
   */
  private record Request(
      Template path,
      Optional<Template> query,
      List<HeaderField> fields,
      List<Template> values,
      Optional<byte[]> buffered,
      Optional<BodyTemplate> body) {

    /**
     * Finds all expressions.
     *
     * @throws io.tokenvault.domain.failure.ValidationException if an expression is invalid
     */
    static Request read(Exchange exchange, List<HeaderField> fields) {
      RequestTarget target = exchange.route().target();
      Optional<TextualBody> kind = exchange.body().textualBody();
      Optional<byte[]> buffered = kind.map(each -> exchange.body().takeBytes());
      return new Request(
          PercentEncodedText.path(target.path()),
          target.query().map(PercentEncodedText::query),
          fields,
          fields.stream().map(field -> Template.ofText(field.value())).toList(),
          buffered,
          kind.flatMap(each -> each.read(buffered.orElseThrow(), exchange.memory())));
    }

    /** Returns the ids of all tokens that the request names, in order of appearance. */
    Set<String> tokenIds() {
      Set<String> ids = new LinkedHashSet<>(path.tokenIds());
      query.ifPresent(template -> ids.addAll(template.tokenIds()));
      values.forEach(template -> ids.addAll(template.tokenIds()));
      body.ifPresent(template -> ids.addAll(template.tokenIds()));
      return ids;
    }

    /**
     * Replaces all expressions and sets the headers and the body of the exchange.
     *
     * @return path and query
     */
    RequestTarget render(Exchange exchange, TokenValues data) {
      Optional<byte[]> replaced = body.map(template -> template.render(data));
      RequestTarget target =
          new RequestTarget(path.render(data), query.map(template -> template.render(data)));
      exchange.setHeaders(detokenizedHeaders(data));
      replaced.or(() -> buffered).map(InvocationBody::complete).ifPresent(exchange::setBody);
      replaced.ifPresentOrElse(
          bytes -> exchange.memory().endWorkWith(bytes.length), exchange.memory()::endWork);
      return target;
    }

    private List<HeaderField> detokenizedHeaders(TokenValues data) {
      List<HeaderField> rendered = new ArrayList<>(fields.size());
      for (int i = 0; i < fields.size(); i++) {
        rendered.add(new HeaderField(fields.get(i).name(), values.get(i).render(data)));
      }
      return rendered;
    }

    /** Returns a fixed text: every part can be secret. */
    @Override
    public String toString() {
      return "Request[redacted]";
    }
  }
}
