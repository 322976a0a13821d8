package io.tokenvault.engine.transform.isolation;

/** How far worker processes are shut in, the best first. */
public enum IsolationLevel {
  OWN_ROOT(
      true,
      "Workers run in namespaces of their own: they see no file but the Java runtime and the"
          + " worker's program, both read-only, no network and no other process."),
  OTHER_USER_NO_NETWORK(
      true,
      "Workers run as another user without network and see no other process. They can read files"
          + " that every user of this system may read."),
  OTHER_USER(
      false,
      "Workers run as another user: they can read neither the server's own files nor its memory."
          + " They can read files that every user of this system may read, and reach the network."),
  NONE(
      false,
      "Workers are not shut in by the system. Should a script break out of its interpreter, it can"
          + " read all that the server can read, its keys included, and reach the network.");

  private final boolean withoutNetwork;
  private final String promise;

  IsolationLevel(boolean withoutNetwork, String promise) {
    this.withoutNetwork = withoutNetwork;
    this.promise = promise;
  }

  boolean isWithoutNetwork() {
    return withoutNetwork;
  }

  /** What holds for a script that has broken out of its interpreter, in plain words. */
  public String promise() {
    return promise;
  }
}
