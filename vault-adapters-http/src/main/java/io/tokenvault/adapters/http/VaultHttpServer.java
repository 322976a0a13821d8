package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.resource.InProcessClient;
import io.tokenvault.adapters.http.resource.TokenRoutes;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.JettyHttpServer;
import io.tokenvault.adapters.http.server.JettyHttpServer.ListenerRole;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * The entry point of the HTTP adapter: starts the listeners of the API and gives in-process access
 * to it.
 *
 * <p>All listeners of a server share one {@link UseCases} object:
 *
 * <pre>{@code
 * VaultHttpServer server = new VaultHttpServer(useCases, settings, operations);
 * try (JettyHttpServer running = server.start()) {
 *   // Requests are served until running is closed.
 * }
 * }</pre>
 */
public final class VaultHttpServer {

  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;

  /**
   * Creates a server that does not listen yet.
   *
   * @param useCases called by the routes of all listeners
   * @param settings of the main listener; the admin listener derives its own from them
   * @param operations the metrics, the OpenAPI description and the callbacks for the operator
   */
  public VaultHttpServer(UseCases useCases, HttpSettings settings, Operations operations) {
    this.useCases = Objects.requireNonNull(useCases, "useCases");
    this.settings = Objects.requireNonNull(settings, "settings");
    this.operations = Objects.requireNonNull(operations, "operations");
  }

  /**
   * Starts the main listener and returns once it accepts requests.
   *
   * @return the running server; closing it frees the port
   * @throws CannotListenException if the port cannot be bound or the TLS files cannot be used
   */
  public JettyHttpServer start() {
    return JettyHttpServer.start(ListenerRole.MAIN, useCases, settings, operations);
  }

  /**
   * Starts the admin listener: it serves management routes, metrics and the operator's pages. It
   * lists, returns and creates tokens, but returns at most masks, and never serves the proxy.
   *
   * <p>On a loopback address it accepts requests under local host names only, which protects it
   * from DNS rebinding.
   *
   * @param host the address or name of this machine to listen on
   * @param port the port to listen on; 0 selects a free one
   * @throws CannotListenException if the port cannot be bound or the TLS files cannot be used
   */
  public JettyHttpServer startAdmin(String host, int port) {
    return JettyHttpServer.start(
        ListenerRole.ADMIN, useCases, settings.forAdmin(host, port), operations);
  }

  /** Loads the classes that a start needs, so that another thread can prepare them in parallel. */
  public static void preload() {
    RequestValidator.load();
    JettyHttpServer.preload();
  }

  /**
   * Returns a function that reads a token in the form that {@code POST /tokens} accepts or {@code
   * GET /tokens} returns.
   *
   * <p>Read-only fields, such as {@code created_at}, are ignored. Violations of the schema are
   * added to the {@link Violations} argument; the draft must not be used if there are any.
   */
  public static BiFunction<JsonValue, Violations, TokenDraft> exportedTokenReader() {
    return (body, violations) -> TokenRoutes.readExported(JsonFields.of(body, violations));
  }

  /**
   * Returns a client that calls the operations of the token and permission routes inside this
   * process, without HTTP.
   *
   * <p>It checks permissions, reads arguments and renders results as the routes do.
   */
  public static ServiceClient client(
      Authenticator authenticator,
      VaultTokens tokens,
      CreateTokens createTokens,
      ChangeTokens changeTokens,
      JsonCodec json) {
    return new InProcessClient(
        authenticator, tokens, createTokens, changeTokens, new JsonRenderer(json));
  }
}
