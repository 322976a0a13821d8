package io.tokenvault.server;

/** Whether the transforms of proxies run. Each runs in a worker process of its own. */
public enum Transforms {
  /** No worker is started, and proxies with transforms can be neither saved nor invoked. */
  OFF,
  /** Workers start when they are first needed, isolated as far as the operating system allows. */
  ON,
  /** As {@link #ON}, but the vault does not start if workers cannot be isolated. */
  ISOLATED
}
