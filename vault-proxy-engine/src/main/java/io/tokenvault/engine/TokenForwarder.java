package io.tokenvault.engine;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.ProxyEngine.Settings;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.NoProxy;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.pipeline.BufferBody;
import io.tokenvault.engine.pipeline.CheckDestination;
import io.tokenvault.engine.pipeline.Detokenize;
import io.tokenvault.engine.pipeline.Forward;
import io.tokenvault.engine.pipeline.PipelineRunner;
import io.tokenvault.engine.pipeline.Step;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.Tracer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Forwards requests without a vault: replaces token expressions by data from your own source, and
 * sends the request to its destination.
 *
 * <p>It has the steps of {@link ProxyEngine} that check the destination, replace expressions, and
 * send, with the same limits and the same egress check at the connection. It performs no
 * authorization: the source decides which tokens a request may use. Thread-safe.
 *
 * <pre>{@code
 * try (TokenForwarder forwarder = new TokenForwarder(tokens, recorder);
 *     ProxyResponse response = forwarder.send("https://api.example.com/charges", call)) {
 *   response.body().transferTo(output);
 * }
 * }</pre>
 */
public final class TokenForwarder implements AutoCloseable {

  /** Provides the data of tokens. */
  @FunctionalInterface
  public interface TokenSource {

    /**
     * Returns the data of tokens, after their use was recorded.
     *
     * @param tokenIds as the expressions name them; never empty
     * @return JSON in UTF-8 by token ID, for every ID
     * @throws io.tokenvault.domain.failure.VaultException if the request may not use one of them;
     *     nothing is sent
     */
    Map<String, SensitiveValue> read(Set<String> tokenIds);
  }

  /** Records requests. */
  public interface Recorder {

    /**
     * Records a request durably, before token data is read. An exception prevents the request.
     *
     * @param tokenIds the tokens that it uses, as the expressions name them; may be empty
     */
    void begin(Destination destination, Set<String> tokenIds);

    /**
     * Records how a request ended, after {@link #begin}.
     *
     * @param outcome a fixed text such as {@code status 200}, without data of the request
     */
    void end(Destination destination, String outcome);
  }

  private static final NoProxy NO_PROXY = new NoProxy(SensitiveValue.ofText("{}"), true);

  private final ServiceHeaders names;
  private final Forwarder forwarder;
  private final PipelineRunner pipeline;

  /**
   * Creates a forwarder with default settings, for destinations with public addresses.
   *
   * @param recorder records each request before the source is asked for its tokens
   */
  public TokenForwarder(TokenSource tokens, Recorder recorder) {
    this(tokens, recorder, EgressPolicy.publicHosts(), Settings.defaults());
  }

  /**
   * Creates a forwarder.
   *
   * @param recorder records each request before the source is asked for its tokens
   * @param policy the rules for destinations
   * @throws IllegalArgumentException if the file of extra certificate authorities cannot be used
   */
  public TokenForwarder(
      TokenSource tokens, Recorder recorder, EgressPolicy policy, Settings settings) {
    Objects.requireNonNull(tokens, "tokens");
    Objects.requireNonNull(recorder, "recorder");
    this.names = settings.headers();
    this.forwarder = settings.forwarder(policy, HostResolver.system());
    HeaderRules rules = new HeaderRules(names);
    List<Step> steps =
        List.of(
            Step.of("Caller", exchange -> exchange.setInvoked(NO_PROXY)),
            Step.of("CheckDestination", new CheckDestination(exchange -> {}, policy, names)),
            Step.readingBody(
                "BufferBody",
                new BufferBody(settings.maxBufferedBody(), settings.maxBufferedBody(), names)),
            Step.of("Detokenize", new Detokenize(access(tokens, recorder), rules, exchange -> {})),
            Step.sending(
                "Forward",
                Tracer.DESTINATION,
                new Forward(forwarder::send, proxy -> Optional.empty(), rules)),
            Step.of("Response", exchange -> filterResponse(exchange, rules)));
    this.pipeline =
        new PipelineRunner(
            steps,
            names,
            new BodyMemoryBudget(settings.bodyMemoryBudget()),
            (exchange, outcome) -> end(recorder, exchange, outcome),
            exchange -> {},
            Tracer.NONE);
  }

  /** Returns token access that records the request before it reads a token. */
  private static Detokenize.TokenAccess access(TokenSource tokens, Recorder recorder) {
    return (exchange, ids) -> {
      recorder.begin(exchange.destination(), ids);
      exchange.setRecorded();
      return new TokenValues(ids.isEmpty() ? Map.of() : read(tokens, ids), exchange.memory());
    };
  }

  private static Map<String, SensitiveValue> read(TokenSource tokens, Set<String> ids) {
    Map<String, SensitiveValue> values = tokens.read(ids);
    if (!values.keySet().containsAll(ids)) {
      throw new IllegalStateException("the token source has not returned all tokens");
    }
    return values;
  }

  private static void end(Recorder recorder, Exchange exchange, String outcome) {
    if (exchange.isRecorded()) {
      recorder.end(exchange.destination(), outcome);
    }
  }

  /**
   * Sends a request. Close the response, which records how the request ended.
   *
   * @param url the HTTPS URL of the destination; the path and query of the call are appended to it
   * @param call the request; expressions such as <code>{{id}}</code> in its path, query, headers
   *     and body are replaced
   * @return the destination's response
   * @throws io.tokenvault.domain.failure.VaultException if the request is refused or fails; its
   *     text is fixed
   */
  public ProxyResponse send(String url, ProxyCall call) {
    List<HeaderField> headers = new ArrayList<>(call.headers());
    headers.removeIf(field -> names.owns(field.name()) && !field.is(names.detokenize()));
    headers.add(new HeaderField(names.proxyUrl(), url));
    return pipeline.run(
        new ProxyCall(
            call.method(),
            call.path(),
            call.query(),
            headers,
            call.body(),
            call.bodyLength(),
            call.caller(),
            call.authenticated()));
  }

  /** Closes idle connections; exchanges in flight continue to their end. */
  @Override
  public void close() {
    forwarder.close();
  }

  /** Removes the headers of a response that concern the connection to the destination only. */
  private static void filterResponse(Exchange exchange, HeaderRules rules) {
    ProxyResponse response = exchange.response().orElseThrow();
    exchange.setResponse(
        new ProxyResponse(
            response.status(),
            rules.toCaller(response.headers()),
            response.body(),
            response.bodyLength()));
  }
}
