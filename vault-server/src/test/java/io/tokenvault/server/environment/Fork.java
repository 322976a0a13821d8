package io.tokenvault.server.environment;

/** Identifies this JVM among those that run tests at once, to keep their ports and files apart. */
public final class Fork {

  /** The name of this JVM: "fork-" and a number; "fork-1" if it is the only one. */
  public static final String NAME = System.getProperty("vault.test.fork", "fork-1");

  /** The number in the name, from 1. */
  public static final int NUMBER = Integer.parseInt(NAME.substring("fork-".length()));

  private Fork() {}
}
