package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.RequestTarget;
import io.tokenvault.engine.expression.BodyTemplate;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.form.PercentEncodedText;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.filter.FilterChain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Records the invocation, and then replaces expressions in all places at once. Nothing that comes
 * before it knows a token's data, and nothing after it runs unless the record is durable.
 */
public final class Detokenize implements Step {

  /** Gives the data of tokens. */
  public interface TokenAccess {
    /**
     * @param ids as they were written; empty if nothing is replaced
     */
    TokenValues open(Exchange exchange, Set<String> ids);
  }

  private final TokenAccess tokens;
  private final HeaderRules rules;

  /**
   * @param tokens also records the invocation
   */
  public Detokenize(TokenAccess tokens, HeaderRules rules) {
    this.tokens = tokens;
    this.rules = rules;
    FilterChain.warmUp();
  }

  @Override
  public String name() {
    return "Detokenize";
  }

  @Override
  public void apply(Exchange exchange) {
    List<HeaderField> fields = rules.received(exchange.call().headers());
    RequestTarget target = exchange.route().target();
    if (exchange.isDetokenized()) {
      Request request = Request.read(exchange, fields);
      TokenValues values = tokens.open(exchange, request.tokenIds());
      target = request.fill(exchange, values);
    } else {
      tokens.open(exchange, Set.of());
      exchange.setHeaders(fields);
    }
    exchange.setRecorded();
    exchange.setRequested(target);
  }

  /**
   * Everything of one request that expressions are replaced in.
   *
   * @param held the body as it came; empty if it was not held
   * @param body empty if no expression is in it
   */
  private record Request(
      Template path,
      Optional<Template> query,
      List<HeaderField> fields,
      List<Template> values,
      Optional<byte[]> held,
      Optional<BodyTemplate> body) {

    /**
     * Finds all expressions.
     *
     * @throws io.tokenvault.domain.failure.ValidationException if one is wrong
     */
    static Request read(Exchange exchange, List<HeaderField> fields) {
      RequestTarget target = exchange.route().target();
      Optional<TextualBody> kind = exchange.body().held();
      Optional<byte[]> held = kind.map(each -> exchange.body().takeBytes());
      return new Request(
          PercentEncodedText.path(target.path()),
          target.query().map(PercentEncodedText::query),
          fields,
          fields.stream().map(field -> Template.ofText(field.value())).toList(),
          held,
          kind.flatMap(each -> each.read(held.orElseThrow(), exchange.memory())));
    }

    Set<String> tokenIds() {
      Set<String> ids = new LinkedHashSet<>(path.tokenIds());
      query.ifPresent(template -> ids.addAll(template.tokenIds()));
      values.forEach(template -> ids.addAll(template.tokenIds()));
      body.ifPresent(template -> ids.addAll(template.tokenIds()));
      return ids;
    }

    /**
     * Replaces all expressions.
     *
     * @return path and query
     */
    RequestTarget fill(Exchange exchange, TokenValues data) {
      Optional<byte[]> replaced = body.map(template -> template.fill(data));
      RequestTarget target =
          new RequestTarget(path.fill(data), query.map(template -> template.fill(data)));
      exchange.setHeaders(filledHeaders(data));
      replaced.or(() -> held).map(InvocationBody::complete).ifPresent(exchange::setBody);
      replaced.ifPresentOrElse(
          bytes -> exchange.memory().endWorkWith(bytes.length), exchange.memory()::endWork);
      return target;
    }

    private List<HeaderField> filledHeaders(TokenValues data) {
      List<HeaderField> filled = new ArrayList<>(fields.size());
      for (int i = 0; i < fields.size(); i++) {
        filled.add(new HeaderField(fields.get(i).name(), values.get(i).fill(data)));
      }
      return filled;
    }

    /** Nothing: all of it can be secret. */
    @Override
    public String toString() {
      return "Request[redacted]";
    }
  }
}
