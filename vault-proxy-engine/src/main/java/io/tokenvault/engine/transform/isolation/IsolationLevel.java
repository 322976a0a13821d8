package io.tokenvault.engine.transform.isolation;

/**
 * Level of isolation of worker processes, strongest first.
 *
 * <p>A transform is interpreted and has no access to the system. These levels limit the damage if a
 * script breaks out of its interpreter.
 */
public enum IsolationLevel {
  /** Separate namespaces with a minimal root directory, without network. */
  OWN_ROOT(
      "Workers run in separate namespaces: they see only the files of the Java runtime and the"
          + " worker's program, read-only, and no network or other process."),
  /** Another user, without network and other processes. */
  OTHER_USER_NO_NETWORK(
      "Workers run as another user without network and see no other process. They can read files"
          + " that are readable by every user of this system."),
  /** Another user, with network. */
  OTHER_USER(
      "Workers run as another user: they cannot read the server's files or memory. They can read"
          + " files that are readable by every user of this system, and reach the network."),
  /** No isolation by the operating system. */
  NONE(
      "Workers are not sandboxed by the system. A script that escapes its interpreter can read"
          + " everything that the server can read, including keys, and reach the network.");

  private final String promise;

  IsolationLevel(String promise) {
    this.promise = promise;
  }

  /**
   * Returns the limits of a script that has broken out of its interpreter, in plain English, for
   * logs and commands.
   */
  public String promise() {
    return promise;
  }
}
