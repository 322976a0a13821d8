package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.token.Token;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tokens whose data one invocation of a proxy has seen. Its transforms could send all of that
 * wherever they can send anything, so all of it has to be free to go there. Threads may share it.
 */
public final class RevealedTokens {

  private final Set<TokenTraits> seen = ConcurrentHashMap.newKeySet();

  public void add(Collection<Token> tokens) {
    tokens.forEach(token -> seen.add(token.traits()));
  }

  /** As of when they were seen. */
  List<TokenTraits> tokens() {
    return List.copyOf(seen);
  }

  /** Those of them that the operator has bound to destinations by now. */
  public List<TokenTraits> bound(TenantEgress egress) {
    return seen.stream().filter(egress::binds).toList();
  }

  /**
   * An invocation's disclosure, and where the invocation goes.
   *
   * @param delivery to the proxy's destination
   */
  public record Towards(RevealedTokens disclosure, Delivery delivery) {}
}
