package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.adapters.jdbi.stores.VaultDatabase;
import io.tokenvault.adapters.jdbi.stores.VaultStores;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.RequestLookup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database of several. While it is away, whoever asks is refused at once and does not wait, so
 * that the threads are there for the tenants of the others; one caller looks, every second, whether
 * it is back. A database that is away at the start is opened by the same look.
 */
final class Shard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);
  private static final long PAUSE = Duration.ofSeconds(1).toNanos();

  private final int number;
  private final Supplier<? extends VaultDatabase> opening;
  private final Consumer<VaultStores> admission;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile Ports ports;
  private volatile boolean away = true;
  private volatile long nextLook = System.nanoTime();
  private volatile long lastAnswer = System.nanoTime();

  /**
   * @param number from 1
   * @param admission throws if the database may not be used
   */
  Shard(int number, Supplier<? extends VaultDatabase> opening, Consumer<VaultStores> admission) {
    this.number = number;
    this.opening = opening;
    this.admission = admission;
  }

  /**
   * @throws RefusedException if the database is away
   * @throws RuntimeException if it may not be used
   */
  void open() {
    VaultDatabase stores = opening.get();
    try {
      admission.accept(stores);
    } catch (RuntimeException refused) {
      stores.close();
      throw refused;
    }
    ports = new Ports(stores, stores.lookup(), stores.recorder());
    away = false;
  }

  int number() {
    return number;
  }

  /** Not a promise: the next call may find otherwise. */
  boolean seemsAway() {
    return away;
  }

  /** The stores, if the database is there. */
  Optional<VaultDatabase> stores() {
    return isReady() ? Optional.of(ports.stores()) : Optional.empty();
  }

  /** The stores, if the database was ever there. */
  Optional<VaultDatabase> opened() {
    return Optional.ofNullable(ports).map(Ports::stores);
  }

  /** Whether the database takes requests; looked at once a second at the most while it is away. */
  boolean isReady() {
    return away ? isBack() : ports.stores().readiness().isReady();
  }

  /**
   * Asks the database.
   *
   * @throws RefusedException of cause {@code STORE_UNAVAILABLE}, if it is away
   */
  <T> T ask(Function<Ports, T> question) {
    if (away && !isBack()) {
      throw away();
    }
    Ports asked = ports;
    try {
      T answer = question.apply(asked);
      lastAnswer = System.nanoTime();
      return answer;
    } catch (RefusedException refused) {
      if (isUnavailable(refused) && looking.compareAndSet(false, true)) {
        lookAndRelease(asked);
      }
      throw refused;
    }
  }

  /**
   * The same where there is no answer.
   *
   * @throws RefusedException as {@link #ask}
   */
  void tell(Consumer<Ports> message) {
    ask(
        asked -> {
          message.accept(asked);
          return asked;
        });
  }

  static boolean isUnavailable(RefusedException refused) {
    return refused.failure() == FailureCause.STORE_UNAVAILABLE;
  }

  RefusedException away() {
    return RefusedException.unavailable(
        new IllegalStateException("database " + number + " is away"));
  }

  private boolean isBack() {
    if (System.nanoTime() - nextLook < 0 || !looking.compareAndSet(false, true)) {
      return false;
    }
    if (ports == null) {
      openLate();
    } else {
      lookAndRelease(ports);
    }
    return !away;
  }

  private void openLate() {
    try {
      open();
      LOG.info("Database {} is there; its tenants are served", number);
    } catch (RefusedException stillAway) {
      LOG.debug("Database {} is still away", number);
    } catch (RuntimeException refused) {
      LOG.error("Database {} is not used: {}", number, refused.getMessage());
    } finally {
      release();
    }
  }

  /** A database that answers others meanwhile is busy, not away. */
  private void lookAndRelease(Ports asked) {
    long start = System.nanoTime();
    try {
      boolean isReady = asked.stores().readiness().isReady();
      turn(!isReady && lastAnswer - start < 0);
    } finally {
      release();
    }
  }

  private void turn(boolean isAway) {
    if (isAway && !away) {
      LOG.warn("Database {} does not answer; its tenants are refused until it does", number);
    } else if (away && !isAway) {
      LOG.info("Database {} answers again", number);
    }
    away = isAway;
  }

  private void release() {
    nextLook = System.nanoTime() + PAUSE;
    looking.set(false);
  }

  @Override
  public void close() {
    Ports opened = ports;
    if (opened != null) {
      opened.stores().close();
    }
  }

  /** The stores, and those of them that may hold something from one call to the next. */
  record Ports(VaultDatabase stores, RequestLookup lookup, AuditRecorder recorder) {}
}
