package io.tokenvault.server.place;

/** Tests run in several JVMs at once; what these take from the machine is kept apart by this. */
public final class Fork {

  /** Of this JVM among those of the build, from 1; 1 where it runs alone. */
  public static final int NUMBER = Integer.getInteger("vault.test.fork", 1);

  /** The same as a folder's name. */
  public static final String NAME = "fork-" + NUMBER;

  private Fork() {}
}
