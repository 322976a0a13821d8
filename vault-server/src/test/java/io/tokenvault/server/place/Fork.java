package io.tokenvault.server.place;

/** Tests run in several JVMs at once; what these take from the machine is kept apart by this. */
public final class Fork {

  /** Of this JVM among those of the build: "fork-" and a number; the first's where it is alone. */
  public static final String NAME = System.getProperty("vault.test.fork", "fork-1");

  /** The same, from 1. */
  public static final int NUMBER = Integer.parseInt(NAME.substring("fork-".length()));

  private Fork() {}
}
