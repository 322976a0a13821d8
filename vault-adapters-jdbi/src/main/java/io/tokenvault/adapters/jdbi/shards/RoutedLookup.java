package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.RequestLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the database where the caller was last found, which is the only one that is asked as a rule:
 * tokens and proxies that it may use are there too. All others are asked for a key that is not
 * there. What one database says is as of one moment; a proxy that another one has is not the
 * caller's and only told as being another tenant's.
 */
record RoutedLookup(Shards shards) implements RequestLookup {

  @Override
  public Loaded load(Lookup lookup, MemoryReservation room) {
    Optional<Loaded> found = Optional.empty();
    Optional<RefusedException> away = Optional.empty();
    for (Shard each : inOrder(lookup)) {
      try {
        Loaded more = each.ask(ports -> ports.lookup().load(lookup, room));
        remember(more, each);
        found = Optional.of(found.map(less -> merged(less, more)).orElse(more));
        if (isComplete(found.get(), lookup)) {
          return found.get();
        }
      } catch (RefusedException refused) {
        if (!Shard.isUnavailable(refused)) {
          throw refused;
        }
        away = Optional.of(refused);
      }
    }
    return conclude(found, away);
  }

  /** Who is not found may be in a database that is away; a caller's own proxy is where he is. */
  private static Loaded conclude(Optional<Loaded> found, Optional<RefusedException> away) {
    if (away.isPresent() && found.flatMap(Loaded::caller).isEmpty()) {
      throw away.get();
    }
    return found.orElseThrow();
  }

  private List<Shard> inOrder(Lookup lookup) {
    Optional<Shard> likely =
        lookup
            .acting()
            .map(acting -> shards.of(acting.tenantId()))
            .or(() -> shards.hint(lookup.apiKey().isEmpty() ? lookup.proxyKey() : lookup.apiKey()));
    if (likely.isEmpty()) {
      return shards.all();
    }
    List<Shard> order = new ArrayList<>(shards.all());
    order.remove(likely.get());
    order.add(0, likely.get());
    return order;
  }

  private void remember(Loaded found, Shard shard) {
    found
        .caller()
        .ifPresent(
            caller -> {
              require(caller.application().tenantId(), shard);
              caller.matched().ifPresent(hash -> shards.hint(hash, shard));
            });
    found
        .proxy()
        .ifPresent(
            proxy -> {
              require(proxy.proxy().proxy().tenantId(), shard);
              shards.hint(proxy.matched(), shard);
            });
  }

  /** What was decided on in one database must not be recorded in another. */
  private void require(TenantId id, Shard shard) {
    if (shards.remember(id, shard) != shard) {
      throw new IllegalStateException("a tenant is in two databases");
    }
  }

  private static boolean isComplete(Loaded found, Lookup lookup) {
    boolean wantsCaller = lookup.acting().isPresent() || !lookup.apiKey().isEmpty();
    return (found.caller().isPresent() || !wantsCaller)
        && (found.proxy().isPresent() || lookup.proxyKey().isEmpty());
  }

  /** The clock and the tokens are those of the caller. */
  private static Loaded merged(Loaded less, Loaded more) {
    Loaded first = less.caller().isEmpty() && more.caller().isPresent() ? more : less;
    return new Loaded(first.now(), first.caller(), less.proxy().or(more::proxy), first.tokens());
  }
}
