package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.operations.Operations;
import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.request.TokenRequest;
import io.tokenvault.adapters.http.resource.InProcessClient;
import io.tokenvault.adapters.http.resource.TokenWrites;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.JettyHttpServer;
import io.tokenvault.adapters.http.server.JettyPreloader;
import io.tokenvault.adapters.http.server.ListenerRole;
import io.tokenvault.adapters.http.server.RunningServer;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.Objects;
import java.util.function.BiFunction;

/** The vault's HTTP interface, and the one way into this module. */
public final class VaultHttpServer {

  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;

  public VaultHttpServer(UseCases useCases, HttpSettings settings) {
    this(useCases, settings, Operations.NONE);
  }

  public VaultHttpServer(UseCases useCases, HttpSettings settings, Operations operations) {
    this.useCases = Objects.requireNonNull(useCases, "useCases");
    this.settings = Objects.requireNonNull(settings, "settings");
    this.operations = Objects.requireNonNull(operations, "operations");
  }

  /**
   * Listens, and returns once requests are answered.
   *
   * @throws CannotListenException if the port cannot be bound or the TLS files cannot be used
   */
  public RunningServer start() {
    return JettyHttpServer.start(ListenerRole.MAIN, useCases, settings, operations);
  }

  /**
   * The same for a listener of its own for those who manage: without tokens and the proxy, with the
   * pages and figures of operators. On a loopback address it answers under local names only.
   */
  public RunningServer startAdmin(String host, int port) {
    return JettyHttpServer.start(
        ListenerRole.ADMIN, useCases, settings.forAdmin(host, port), operations);
  }

  /** Loads what a start needs, for a thread that has nothing better to do meanwhile. */
  public static void preload() {
    new RequestValidator();
    JettyPreloader.jetty();
  }

  /**
   * Reads a token as {@code POST /tokens} takes it or as {@code GET /tokens} returns it, whose
   * read-only fields are ignored; notes what is wrong with its shape.
   */
  public static BiFunction<JsonValue, Violations, TokenDraft> exportedTokenReader() {
    RequestValidator shapes = new RequestValidator();
    return (body, violations) ->
        shapes.read(body, TokenRequest::readExported, violations).toDraft();
  }

  /** What the routes of tokens and permissions do, for callers that are inside. */
  public static ServiceClient client(
      Authenticator gate,
      VaultTokens tokens,
      CreateTokens createTokens,
      ChangeTokens changeTokens,
      JsonCodec json) {
    return new InProcessClient(
        gate,
        tokens,
        new TokenWrites(createTokens, changeTokens, new RequestValidator()),
        new ResourceRenderer(json));
  }
}
