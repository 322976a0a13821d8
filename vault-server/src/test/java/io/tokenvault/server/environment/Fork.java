package io.tokenvault.server.environment;

/** Identifies this JVM among those that run tests at once, to keep their ports and files apart. */
public final class Fork {

  /** The name of this JVM: "fork-" and a number; "fork-1" if it is the only one. */
  public static final String NAME = System.getProperty("vault.test.fork", "fork-1");

  /** The number in the name, from 1. */
  public static final int NUMBER = Integer.parseInt(NAME.substring("fork-".length()));

  /** Identifies the build; this JVM, if it was not started by Maven. */
  static final String BUILD =
      System.getProperty("vault.test.build", String.valueOf(ProcessHandle.current().pid()));

  private Fork() {}
}
