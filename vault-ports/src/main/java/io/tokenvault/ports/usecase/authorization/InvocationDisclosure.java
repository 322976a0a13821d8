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
 * The tokens whose data one invocation of a proxy has received.
 *
 * <p>Its transforms could send all of that data to any destination that they can reach, so the
 * egress policy must allow every token there. Thread-safe.
 */
public final class InvocationDisclosure {

  private final Set<TokenTraits> seen = ConcurrentHashMap.newKeySet();

  /** Adds tokens whose data is about to be returned. */
  public void add(Collection<Token> tokens) {
    tokens.forEach(token -> seen.add(token.traits()));
  }

  /** Returns the traits of the tokens at the time when they were revealed. */
  List<TokenTraits> tokens() {
    return List.copyOf(seen);
  }

  /** Returns the revealed tokens that the egress policy currently binds to destinations. */
  public List<TokenTraits> bound(TenantEgress egress) {
    return seen.stream().filter(egress::binds).toList();
  }

  /**
   * The revealed tokens of an invocation, and its destination.
   *
   * @param delivery the delivery to the proxy's destination
   */
  public record Target(InvocationDisclosure disclosure, Delivery delivery) {}
}
