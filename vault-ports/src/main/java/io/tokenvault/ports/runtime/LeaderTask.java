package io.tokenvault.ports.runtime;

import java.util.regex.Pattern;

/**
 * A background task that one node performs for all nodes.
 *
 * @param name identifies the task among all nodes: lowercase letters, digits, and {@code .}, {@code
 *     _}, {@code -} or spaces within
 */
public record LeaderTask(String name) {

  // Before the constants, whose constructors use it.
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9._ -]{0,98}[a-z0-9])?");

  /** Deletes expired rows. */
  public static final LeaderTask SWEEPING = new LeaderTask("sweeping");

  /** Re-encrypts fields under the current data keys. */
  public static final LeaderTask REENCRYPTION = new LeaderTask("reencryption");

  /** Creates the partitions of the audit log ahead of time. */
  public static final LeaderTask PARTITIONS = new LeaderTask("partitions");

  /** Sends audit entries to the configured sink. */
  public static final LeaderTask STREAMING = new LeaderTask("streaming");

  /** Extends the hash chains of the audit log. */
  public static final LeaderTask SEALING = new LeaderTask("sealing");

  /**
   * Validates the name.
   *
   * @throws IllegalArgumentException if it has other characters or more than 100
   */
  public LeaderTask {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a task has a name of up to 100 lowercase letters, digits, '.', '_', '-' or spaces");
    }
  }

  /** Returns the task of sending audit entries to a named feed of a host application. */
  public static LeaderTask feed(String name) {
    return new LeaderTask("feed " + name);
  }
}
