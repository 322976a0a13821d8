package io.tokenvault.engine.transform;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.pool.WorkerFailure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The sources that took too long to compile, by their hashes, so that nobody compiles them again
 * and again. A tenant is not told by them what another one has. Threads may share it.
 */
final class SlowSourceCache {

  static final Duration KEPT = Duration.ofMinutes(10);
  static final int MOST = 1000;

  private final LongSupplier nanoTime;

  /** The oldest first. */
  private final Map<String, Known> known = new LinkedHashMap<>();

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  SlowSourceCache(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Known(WorkerFailure failure, long since) {}

  void add(TenantId tenantId, String source, WorkerFailure failure) {
    String hash = hash(tenantId, source);
    synchronized (known) {
      known.remove(hash);
      known.put(hash, new Known(failure, nanoTime.getAsLong()));
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
    }
  }

  /** How compiling this ended, if that is not long ago. */
  Optional<WorkerFailure> failure(TenantId tenantId, String source) {
    String hash = hash(tenantId, source);
    synchronized (known) {
      known.values().removeIf(each -> nanoTime.getAsLong() - each.since() >= KEPT.toNanos());
      return Optional.ofNullable(known.get(hash)).map(Known::failure);
    }
  }

  private static String hash(TenantId tenantId, String source) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(tenantId.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
