package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.adapters.jdbi.stores.VaultStores;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.KeyHash;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which tenant is in which database: in the one that has its row. A tenant does not move while
 * servers run, so what was once found stays true; what is not known is asked of all.
 *
 * <p>Where a key was last found is kept as a hint only: the database itself says whether the key is
 * there.
 */
final class Shards {

  private static final Logger LOG = LoggerFactory.getLogger(Shards.class);
  private static final int MOST_HINTS = 200_000;

  private final List<Shard> all;
  private final Map<TenantId, Shard> tenants = new ConcurrentHashMap<>();
  private final Map<KeyHash, Shard> hints = new ConcurrentHashMap<>();

  /**
   * @param databases makes the shards; they learn of each other's tenants when they are opened
   */
  Shards(Function<Shards, List<Shard>> databases) {
    this.all = List.copyOf(databases.apply(this));
  }

  List<Shard> all() {
    return all;
  }

  /** Where is kept what all databases have in common. */
  Shard home() {
    return all.get(0);
  }

  List<Shard> others() {
    return all.subList(1, all.size());
  }

  /**
   * The database that has the tenant; the first one if none has, which then says so.
   *
   * @throws RefusedException if that cannot be told, because a database is away
   */
  Shard of(TenantId id) {
    Shard known = tenants.get(id);
    return known != null ? known : find(id);
  }

  private Shard find(TenantId id) {
    Optional<Shard> away = Optional.empty();
    for (Shard each : all) {
      try {
        if (each.ask(ports -> ports.stores().tenants().egress(id)).isPresent()) {
          return remember(id, each);
        }
      } catch (RefusedException refused) {
        if (!Shard.isUnavailable(refused)) {
          throw refused;
        }
        away = Optional.of(each);
      }
    }
    if (away.isPresent()) {
      throw away.get().away();
    }
    return home();
  }

  /** The database that the tenant is in as far as is known here, which from now on it is. */
  Shard remember(TenantId id, Shard shard) {
    Shard known = tenants.putIfAbsent(id, shard);
    return known == null ? shard : known;
  }

  /**
   * Takes notice of all tenants of a database.
   *
   * @throws IllegalStateException if one of them is in another database as well
   */
  void learn(int number, List<Tenant> found) {
    for (Tenant each : found) {
      Shard known = tenants.get(each.id());
      if (known != null && known.number() != number) {
        throw new IllegalStateException(
            "tenant %s is in two databases, %d and %d"
                .formatted(each.id(), known.number(), number));
      }
    }
    found.forEach(each -> remember(each.id(), all.get(number - 1)));
  }

  /**
   * Where a new tenant goes: to the database that has the fewest, as far as is known here.
   *
   * @throws RefusedException if all are away
   */
  Shard forNewTenant() {
    Map<Shard, Long> counts =
        tenants.values().stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return all.stream()
        .filter(each -> !each.seemsAway())
        .min(Comparator.comparingLong(each -> counts.getOrDefault(each, 0L)))
        .orElseThrow(() -> home().away());
  }

  Optional<Shard> hint(List<KeyHash> hashes) {
    return hashes.stream()
        .flatMap(hash -> Optional.ofNullable(hints.get(hash)).stream())
        .findFirst();
  }

  /** A hint that is lost costs one more question; so they are simply all dropped now and then. */
  void hint(KeyHash hash, Shard shard) {
    if (hints.get(hash) == shard) {
      return;
    }
    if (hints.size() >= MOST_HINTS) {
      hints.clear();
    }
    hints.put(hash, shard);
  }

  /**
   * Lets each database work off something, whether or not others are away.
   *
   * @param limit how much may be done at the most
   * @param work gets the stores and how much is left to be done; gives how much was
   * @return how much was done by all
   * @throws RefusedException if all are away
   */
  int workOff(int limit, ToIntBiFunction<VaultStores, Integer> work) {
    int done = 0;
    int reached = 0;
    for (Shard each : all) {
      int left = limit - done;
      try {
        done += left == 0 ? 0 : each.ask(ports -> work.applyAsInt(ports.stores(), left));
        reached++;
      } catch (RefusedException refused) {
        if (!Shard.isUnavailable(refused)) {
          throw refused;
        }
        // Of one that is away its absence was told.
        if (!each.seemsAway()) {
          LOG.warn("Database {} refused work that is done for all databases", each.number());
        }
      }
    }
    if (reached == 0) {
      throw home().away();
    }
    return done;
  }
}
