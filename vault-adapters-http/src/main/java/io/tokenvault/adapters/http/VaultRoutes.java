package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.operations.Operations;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.VaultTokens;
import java.util.Objects;
import java.util.function.BiFunction;

/** The vault's HTTP interface, and the one way into this module. */
public final class VaultRoutes {

  private final UseCases useCases;
  private final HttpSettings settings;
  private final Operations operations;

  public VaultRoutes(UseCases useCases, HttpSettings settings) {
    this(useCases, settings, Operations.NONE);
  }

  public VaultRoutes(UseCases useCases, HttpSettings settings, Operations operations) {
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
    return EdgeServer.start(Face.MAIN, useCases, settings, operations);
  }

  /**
   * The same for a listener of its own for those who manage: without tokens and the proxy, with the
   * pages and figures of operators. On a loopback address it answers under local names only.
   */
  public RunningServer startAdmin(String host, int port) {
    return EdgeServer.start(Face.ADMIN, useCases, settings.forAdmin(host, port), operations);
  }

  /** Loads what a start needs, for a thread that has nothing better to do meanwhile. */
  public static void preload() {
    new Shapes();
    Preloading.jetty();
  }

  /**
   * Reads a token as {@code POST /tokens} takes it or as {@code GET /tokens} returns it, whose
   * read-only fields are ignored; notes what is wrong with its shape.
   */
  public static BiFunction<JsonValue, Violations, TokenDraft> exportedTokenReader() {
    Shapes shapes = new Shapes();
    return (body, violations) ->
        shapes.read(body, TokenRequest::readExported, violations).toDraft();
  }

  /** What the routes of tokens and permissions do, for callers that are inside. */
  public static ServiceClient client(
      Gate gate,
      VaultTokens tokens,
      CreateTokens createTokens,
      ChangeTokens changeTokens,
      JsonCodec json) {
    return new DirectClient(
        gate,
        tokens,
        new TokenWrites(createTokens, changeTokens, new Shapes()),
        new Renderer(json));
  }
}
